/// A voice of a speech synthesiser.
public struct Voice: Sendable, Hashable, Identifiable {
  /// The gender of a voice.
  public enum Gender: String, Sendable, Codable, CaseIterable {
    /// A female voice.
    case female
    /// A male voice.
    case male
    /// The gender is not stated.
    case unspecified
  }

  /// The engine's identifier, to be passed as `voiceId` or `voice`.
  public var id: String
  /// The name for display.
  public var name: String
  /// The languages as BCP 47 tags, the best first.
  public var languages: [String]
  /// The gender of the voice.
  public var gender: Gender
  /// The variants that can be added to it, in engines that have variants.
  public var variants: [String]
  /// The description for display; `nil` if the engine has none.
  public var description: String?
  /// The provider that has the voice: the name of the catalogue's entry or of the `VoiceProvider`.
  /// Empty for a voice that comes from its engine.
  public var providerId: String
  /// The quality, `default`, `enhanced` or `premium`; `nil` if it is not known.
  public var quality: String?

  /// Creates the description of a voice.
  public init(
    id: String, name: String, languages: [String], gender: Gender = .unspecified,
    variants: [String] = [], description: String? = nil, providerId: String = "",
    quality: String? = nil
  ) {
    self.id = id
    self.name = name
    self.languages = languages
    self.gender = gender
    self.variants = variants
    self.description = description
    self.providerId = providerId
    self.quality = quality
  }

  /// The language that it speaks best.
  public var language: String { languages.first ?? "" }

  /// The region of the language that it speaks best, such as `US`; `nil` if the tag has none.
  public var locality: String? {
    // A region is two letters or three digits, and no other part after the language is.
    language.split { $0 == "-" || $0 == "_" }.dropFirst().first {
      $0.count == 2 && $0.allSatisfy(\.isLetter) || $0.count == 3 && $0.allSatisfy(\.isNumber)
    }?.uppercased()
  }
}

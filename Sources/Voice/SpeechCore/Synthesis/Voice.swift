/// A voice of a speech synthesiser.
public struct Voice: Sendable, Hashable, Codable, Identifiable {
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

  /// Creates the description of a voice.
  public init(
    id: String, name: String, languages: [String], gender: Gender = .unspecified,
    variants: [String] = []
  ) {
    self.id = id
    self.name = name
    self.languages = languages
    self.gender = gender
    self.variants = variants
  }

  /// The language that it speaks best.
  public var language: String { languages.first ?? "" }
}

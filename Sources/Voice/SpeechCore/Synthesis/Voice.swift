/// A voice that can be asked for.
public struct Voice: Sendable, Hashable, Codable, Identifiable {
  /// Whose voice it sounds like.
  public enum Gender: String, Sendable, Codable, CaseIterable {
    /// A woman's.
    case female
    /// A man's.
    case male
    /// Not stated.
    case unspecified
  }

  /// What the engine calls it; pass it as `voiceId` or `voice`.
  public var id: String
  /// What a person would call it.
  public var name: String
  /// The languages it speaks, as BCP 47 tags, its best first.
  public var languages: [String]
  /// Whose voice it sounds like.
  public var gender: Gender
  /// Variants that can be added to it, where the engine has such.
  public var variants: [String]

  /// A voice.
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

  /// Its best language.
  public var language: String { languages.first ?? "" }
}

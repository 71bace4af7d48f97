/// Errors of what was heard by what was said, summed over many utterances.
///
/// ```swift
/// var errors = ErrorRate()
/// errors.addWords(said: "turn on the light", heard: "turn on the lights")
/// errors.rate   // 0.25
/// ```
public struct ErrorRate: Sendable, Hashable, Codable {
  /// How many words or characters were said.
  public private(set) var count = 0
  /// How many are wrong, missing or surplus.
  public private(set) var errors = 0

  /// Nothing said yet.
  public init() {}

  /// Errors by what was said; more than 1 where more was heard than said, 0 where nothing was said.
  public var rate: Double { count == 0 ? 0 : Double(errors) / Double(count) }

  /// Compares the words, whatever their capital letters unless told otherwise.
  public mutating func addWords(
    said: String, heard: String, overlooking normalisation: TextNormalisation = .usual
  ) {
    add(said: normalisation.words(of: said), heard: normalisation.words(of: heard))
  }

  /// Compares the characters, those between words included.
  public mutating func addCharacters(
    said: String, heard: String, overlooking normalisation: TextNormalisation = .usual
  ) {
    add(
      said: Array(normalisation.words(of: said).joined(separator: " ")),
      heard: Array(normalisation.words(of: heard).joined(separator: " ")))
  }

  /// Compares elements of any kind.
  public mutating func add<Element: Hashable & Sendable>(said: [Element], heard: [Element]) {
    count += said.count
    errors += Alignment.distance(said, heard)
  }

  static func words(of text: String) -> [String] {
    TextNormalisation.usual.words(of: text)
  }
}

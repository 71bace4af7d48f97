/// The errors of recognition, summed over many utterances.
///
/// ```swift
/// var errors = ErrorRate()
/// errors.addWords(said: "turn on the light", heard: "turn on the lights")
/// errors.rate   // 0.25
/// ```
public struct ErrorRate: Sendable, Hashable, Codable {
  /// The number of words or characters that were spoken.
  public private(set) var count = 0
  /// The number that is wrong, missing or surplus.
  public private(set) var errors = 0

  /// Creates a rate without any utterance.
  public init() {}

  /// The errors divided by the spoken words or characters: above 1 if more was recognised than
  /// spoken, 0 if nothing was spoken.
  public var rate: Double { count == 0 ? 0 : Double(errors) / Double(count) }

  /// Adds the word errors of an utterance. Letter case is ignored by default.
  public mutating func addWords(
    said: String, heard: String, overlooking normalisation: TextNormalisation = .caseInsensitive
  ) {
    add(said: normalisation.words(of: said), heard: normalisation.words(of: heard))
  }

  /// Adds the character errors of an utterance, including the blanks between words.
  public mutating func addCharacters(
    said: String, heard: String, overlooking normalisation: TextNormalisation = .caseInsensitive
  ) {
    add(
      said: Array(normalisation.words(of: said).joined(separator: " ")),
      heard: Array(normalisation.words(of: heard).joined(separator: " ")))
  }

  /// Adds the errors of elements of any kind.
  public mutating func add<Element: Hashable & Sendable>(said: [Element], heard: [Element]) {
    count += said.count
    errors += Alignment.distance(said, heard)
  }

  static func words(of text: String) -> [String] {
    TextNormalisation.caseInsensitive.words(of: text)
  }
}

/// The language of a grammar's built-in slots, and of the text that is matched with it.
///
/// Other languages are types that conform to `SpokenLanguage`: `GrammarLanguage(German())`.
public struct GrammarLanguage: Sendable, Hashable {
  let spoken: any SpokenLanguage

  /// Creates a grammar language of a spoken one.
  public init(_ spoken: some SpokenLanguage) {
    self.spoken = spoken
  }

  /// English, the default language.
  public static let english = GrammarLanguage(EnglishLanguage())

  /// The language code, such as “en”.
  public var identifier: String { spoken.identifier }

  /// True if both have the same language code.
  public static func == (left: GrammarLanguage, right: GrammarLanguage) -> Bool {
    left.identifier == right.identifier
  }

  /// Hashes the language code.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// The spoken numbers, times, dates and durations of a language.
///
/// The tags of a phrase define its value. They are evaluated in order with a stack: a number is
/// pushed onto it, and these take numbers from it:
///
/// | tag | |
/// | --- | --- |
/// | `+`, `*` | takes two numbers and pushes their sum or product |
/// | `hour`, `hour24` | the hour; `hour24` needs no half of the day |
/// | `minute`, `before` | minutes after the hour, or before it |
/// | `day`, `month`, `year` | of a date |
/// | `weekday` | from 1, a Sunday, to 7 |
/// | `days`, `weeks`, `months`, `years` | from today |
/// | `span` | seconds of a duration, added to those before |
///
/// These take none: `am`, `pm`, `night` (the half of the day follows from the hour), `this`, `next`
/// and `last` (of a weekday). The number that is left on the stack is the value of a number or an
/// ordinal.
///
/// ```swift
/// “twenty one”
/// .joined([.tagged(.word("twenty"), ["20"]), .tagged(.word("one"), ["1", "+"])])
/// ```
public protocol SpokenLanguage: Sendable {
  /// The language code, such as “en”.
  var identifier: String { get }

  /// Returns the phrase of a slot of a built-in type, without rules and slots in it.
  func phrase(for type: SlotType) -> Phrase

  /// Returns other ways to read the first one or more of these written words: “7:30” as “seven
  /// thirty”.
  ///
  /// The words are lowercase, without punctuation at their ends.
  func readings(of written: ArraySlice<String>) -> [WrittenReading]
}

/// A way to read one or more written words.
public struct WrittenReading: Sendable, Hashable {
  /// The number of written words that it covers.
  package var count: Int
  /// The words that are spoken instead.
  package var words: [String]

  /// Creates a reading of one or more written words.
  public init(count: Int = 1, words: [String]) {
    self.count = count
    self.words = words
  }
}

/// The language of a grammar's ready-made slots and of the text that it is matched with.
///
/// Another language is a type that conforms to `SpokenLanguage`: `GrammarLanguage(German())`.
public struct GrammarLanguage: Sendable, Hashable {
  let spoken: any SpokenLanguage

  /// A language.
  public init(_ spoken: some SpokenLanguage) {
    self.spoken = spoken
  }

  /// English.
  public static let english = GrammarLanguage(EnglishLanguage())

  /// Its code, such as “en”.
  public var identifier: String { spoken.identifier }

  /// Whether both have the same code.
  public static func == (left: GrammarLanguage, right: GrammarLanguage) -> Bool {
    left.identifier == right.identifier
  }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// How numbers, times, dates and durations are said in a language.
///
/// What a phrase means is written into its tags, which are carried out one after the other, each when
/// what it stands on has been said. A number as a tag goes onto a stack. These take numbers from it:
///
/// | tag | |
/// | --- | --- |
/// | `+`, `*` | takes two numbers and puts back their sum or product |
/// | `hour`, `hour24` | the hour; with `hour24` no half of the day is needed |
/// | `minute`, `before` | minutes after the hour, or before it |
/// | `day`, `month`, `year` | of a date |
/// | `weekday` | from 1, a Sunday, to 7 |
/// | `days`, `weeks`, `months`, `years` | from today |
/// | `span` | seconds of a duration, added to those before |
///
/// And these stand for themselves: `am`, `pm`, `night` (the half of the day follows from the hour),
/// `this`, `next` and `last` (of a weekday). What is left on the stack in the end is the value of a number
/// or of an ordinal.
///
/// ```swift
/// // “twenty one”
/// .joined([.tagged(.word("twenty"), ["20"]), .tagged(.word("one"), ["1", "+"])])
/// ```
public protocol SpokenLanguage: Sendable {
  /// Its code, such as “en”.
  var identifier: String { get }

  /// What may be said in a slot of that ready-made type, without rules and slots within.
  func phrase(for type: SlotType) -> Phrase

  /// Other ways to read the first of these written words or more of them: “7:30” as “seven thirty”.
  ///
  /// The words are in small letters and have no marks at their ends.
  func readings(of written: ArraySlice<String>) -> [WrittenReading]
}

/// A way to read one or more written words.
public struct WrittenReading: Sendable, Hashable {
  /// How many of the written words it stands for.
  public var count: Int
  /// The words that are spoken for them.
  public var words: [String]

  /// A reading.
  public init(count: Int = 1, words: [String]) {
    self.count = count
    self.words = words
  }
}

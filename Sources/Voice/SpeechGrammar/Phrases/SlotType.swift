/// The type of a slot: its phrases and their values.
///
/// ```swift
/// Slot("level", .number(0...100))
/// Slot("when", .time)
/// ```
public enum SlotType: Sendable, Hashable {
  /// One of several values.
  case values([Value])
  /// A number in a range within 0 and 999,999: “twenty one”, “a hundred”, “one fifty”.
  case number(ClosedRange<Int>)
  /// An ordinal in a range within 1 and 999: “twenty first”, without “the”.
  case ordinal(ClosedRange<Int>)
  /// A time of day: “half past seven”, “seven thirty p.m.”, “noon”.
  case time
  /// A date: “the third of may”, “next tuesday”, “tomorrow”.
  case date
  /// A duration: “an hour and a half”, “ninety seconds”.
  case duration

  /// Any number from 0 to 999,999.
  public static let number = SlotType.number(0...999_999)
  /// Any ordinal from the first to the 999th.
  public static let ordinal = SlotType.ordinal(1...999)
}

/// A value of a slot: its phrase, and the code that the app receives.
///
/// ```swift
/// Slot("room") {
///   "kitchen"
///   Value("living room", code: "living_room")
///   Value(code: "bathroom") { OneOf { "bath"; "bath room" } }
/// }
/// ```
public struct Value: Sendable, Hashable {
  package var phrase: Phrase
  package var code: String
  /// The weight relative to the other values, 1 by default.
  package var weight: Double?

  package init(phrase: Phrase, code: String, weight: Double? = nil) {
    self.phrase = phrase
    self.code = code
    self.weight = weight
  }

  /// Creates a value of words, which are also its code by default.
  public init(_ words: String, code: String? = nil, weight: Double? = nil) {
    self.init(phrase: Phrase(words), code: code ?? words, weight: weight)
  }

  /// Creates a value that can be spoken in several ways.
  public init(code: String, weight: Double? = nil, @PhraseBuilder _ phrase: () -> Phrase) {
    self.init(phrase: phrase(), code: code, weight: weight)
  }
}

/// An enumeration whose cases are the values of a slot. Their raw values are the codes.
///
/// ```swift
/// enum Room: String, SlotValues, Decodable {
///   case kitchen
///   case livingRoom = "living_room"   // spoken “living room”
/// }
/// Slot("room", Room.self)
/// ```
public protocol SlotValues: CaseIterable, RawRepresentable where RawValue == String {
  /// The spoken forms of the case, by default the words of the raw value.
  var spoken: [String] { get }
}

extension SlotValues {
  /// The words of the raw value: “living room” for `living_room` and for `livingRoom`.
  public var spoken: [String] { [WrittenWord.words(ofCode: rawValue)] }

  /// The cases as values.
  static var values: [Value] {
    allCases.map { Value(phrase: .either($0.spoken.map { Phrase($0) }), code: $0.rawValue) }
  }
}

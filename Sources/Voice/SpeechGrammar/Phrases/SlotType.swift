/// What may be said in a slot, and what it then means.
///
/// ```swift
/// Slot("level", .number(0...100))
/// Slot("when", .time)
/// ```
public enum SlotType: Sendable, Hashable {
  /// One of these values.
  case values([Value])
  /// A number in that range, which lies within 0 and 999,999: “twenty one”, “a hundred”, “one fifty”.
  case number(ClosedRange<Int>)
  /// A place in an order, in a range within 1 and 999: “the” is not part of “twenty first”.
  case ordinal(ClosedRange<Int>)
  /// A time of day: “half past seven”, “seven thirty p.m.”, “noon”.
  case time
  /// A day: “the third of may”, “next tuesday”, “tomorrow”.
  case date
  /// A length of time: “an hour and a half”, “ninety seconds”.
  case duration

  /// Any number from 0 to 999,999.
  public static let number = SlotType.number(0...999_999)
  /// Any place in an order from the first to the 999th.
  public static let ordinal = SlotType.ordinal(1...999)
}

/// One of the values of a slot: how it is said, and the code by which the app knows it.
///
/// ```swift
/// Slot("room") {
///   "kitchen"
///   Value("living room", code: "living_room")
///   Value(code: "bathroom") { OneOf { "bath"; "bath room" } }
/// }
/// ```
public struct Value: Sendable, Hashable {
  /// How it is said.
  public var phrase: Phrase
  /// What the app gets.
  public var code: String
  /// How likely it is beside the others; `nil` counts one.
  public var weight: Double?

  /// A value with its code.
  public init(phrase: Phrase, code: String, weight: Double? = nil) {
    self.phrase = phrase
    self.code = code
    self.weight = weight
  }

  /// A value that is said with these words, which are its code too if no other is given.
  public init(_ words: String, code: String? = nil, weight: Double? = nil) {
    self.init(phrase: Phrase(words), code: code ?? words, weight: weight)
  }

  /// A value that is said in one of several ways.
  public init(code: String, weight: Double? = nil, @PhraseBuilder _ phrase: () -> Phrase) {
    self.init(phrase: phrase(), code: code, weight: weight)
  }
}

/// The cases of an enumeration as the values of a slot; the raw value of each is its code.
///
/// ```swift
/// enum Room: String, SlotValues, Decodable {
///   case kitchen
///   case livingRoom = "living_room"   // said “living room”
/// }
/// Slot("room", Room.self)
/// ```
public protocol SlotValues: CaseIterable, RawRepresentable where RawValue == String {
  /// The ways to say it; by default the words of the raw value.
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

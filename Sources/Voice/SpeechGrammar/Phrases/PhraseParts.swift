/// One of several alternatives: `OneOf { "light"; "lights" }`.
public struct OneOf: PhraseConvertible {
  /// The alternatives as a phrase.
  public let phrase: Phrase

  /// Creates a choice of the alternatives between the braces.
  public init(@ListBuilder<Phrase.Alternative> _ alternatives: () -> [Phrase.Alternative]) {
    phrase = .either(alternatives())
  }

  /// Creates a choice of texts.
  public init(_ texts: some Sequence<String>) {
    phrase = .either(texts.map { Phrase($0) })
  }
}

/// An alternative of `OneOf` with its weight relative to the others, which have 1: `Weighted(5) {
/// "yes" }`.
public struct Weighted {
  let alternative: Phrase.Alternative

  /// Creates an alternative with a weight.
  public init(_ weight: Double, @PhraseBuilder _ phrase: () -> Phrase) {
    alternative = Phrase.Alternative(phrase(), weight: weight)
  }
}

/// A phrase that may be left out: `Optionally { "please" }`.
public struct Optionally: PhraseConvertible {
  /// The phrase, marked as optional.
  public let phrase: Phrase

  /// Makes the phrase between the braces optional.
  public init(@PhraseBuilder _ phrase: () -> Phrase) {
    self.phrase = .optional(phrase())
  }
}

/// A repeated phrase: `Repeatedly(4...8) { Slot("digit", .number(0...9)) }`.
public struct Repeatedly: PhraseConvertible {
  /// The phrase with its repetition.
  public let phrase: Phrase

  /// Repeats a phrase once or more often.
  public init(@PhraseBuilder _ phrase: () -> Phrase) {
    self.phrase = .repeated(phrase(), minimum: 1, maximum: nil)
  }

  /// Repeats a phrase an exact number of times.
  public init(_ count: Int, @PhraseBuilder _ phrase: () -> Phrase) {
    self.phrase = .repeated(phrase(), minimum: count, maximum: count)
  }

  /// Repeats a phrase a number of times within a range.
  public init(_ times: ClosedRange<Int>, @PhraseBuilder _ phrase: () -> Phrase) {
    self.phrase = .repeated(phrase(), minimum: times.lowerBound, maximum: times.upperBound)
  }

  /// Repeats a phrase at least a number of times.
  public init(_ times: PartialRangeFrom<Int>, @PhraseBuilder _ phrase: () -> Phrase) {
    self.phrase = .repeated(phrase(), minimum: times.lowerBound, maximum: nil)
  }
}

/// A part whose value the app receives: `Slot("room", Room.self)`.
public struct Slot: PhraseConvertible {
  /// The slot as a phrase.
  public let phrase: Phrase

  /// Creates a slot of a built-in type, or of an array of values.
  public init(_ name: String, _ type: SlotType) {
    phrase = .slot(name, type)
  }

  /// Creates a slot of the values between the braces.
  public init(_ name: String, @ListBuilder<Value> _ values: () -> [Value]) {
    phrase = .slot(name, .values(values()))
  }

  /// Creates a slot of the cases of an enumeration.
  public init<Values: SlotValues>(_ name: String, _ values: Values.Type) {
    phrase = .slot(name, .values(values.values))
  }
}

extension Phrase {
  /// Creates a phrase of the parts between the braces.
  public init(@PhraseBuilder _ parts: () -> Phrase) {
    self = parts()
  }
}

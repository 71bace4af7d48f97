/// One of several ways: `OneOf { "light"; "lights" }`.
public struct OneOf: PhraseConvertible {
  /// The phrase.
  public let phrase: Phrase

  /// One of those between the braces.
  public init(@AlternativesBuilder _ alternatives: () -> [Phrase.Alternative]) {
    phrase = .either(alternatives())
  }

  /// One of those texts.
  public init(_ texts: some Sequence<String>) {
    phrase = .either(texts.map { Phrase($0) })
  }
}

/// A possibility of `OneOf` with its weight beside the others, which count one: `Weighted(5) { "yes" }`.
public struct Weighted {
  let alternative: Phrase.Alternative

  /// A phrase with its weight.
  public init(_ weight: Double, @PhraseBuilder _ phrase: () -> Phrase) {
    alternative = Phrase.Alternative(phrase(), weight: weight)
  }
}

/// What may be left out: `Optionally { "please" }`.
public struct Optionally: PhraseConvertible {
  /// The phrase.
  public let phrase: Phrase

  /// That phrase or nothing.
  public init(@PhraseBuilder _ phrase: () -> Phrase) {
    self.phrase = .optional(phrase())
  }
}

/// What is said several times: `Repeatedly(4...8) { Slot("digit", .number(0...9)) }`.
public struct Repeatedly: PhraseConvertible {
  /// The phrase.
  public let phrase: Phrase

  /// Once or more often.
  public init(@PhraseBuilder _ phrase: () -> Phrase) {
    self.phrase = .repeated(phrase(), minimum: 1, maximum: nil)
  }

  /// So many times.
  public init(_ count: Int, @PhraseBuilder _ phrase: () -> Phrase) {
    self.phrase = .repeated(phrase(), minimum: count, maximum: count)
  }

  /// At least and at most so many times.
  public init(_ times: ClosedRange<Int>, @PhraseBuilder _ phrase: () -> Phrase) {
    self.phrase = .repeated(phrase(), minimum: times.lowerBound, maximum: times.upperBound)
  }

  /// At least so many times.
  public init(_ times: PartialRangeFrom<Int>, @PhraseBuilder _ phrase: () -> Phrase) {
    self.phrase = .repeated(phrase(), minimum: times.lowerBound, maximum: nil)
  }
}

/// A part that the app wants to know about: `Slot("room", Room.self)`.
public struct Slot: PhraseConvertible {
  /// The phrase.
  public let phrase: Phrase

  /// A slot of a ready-made type, or of values that are there already.
  public init(_ name: String, _ type: SlotType) {
    phrase = .slot(name, type)
  }

  /// A slot with the values between the braces.
  public init(_ name: String, @ValuesBuilder _ values: () -> [Value]) {
    phrase = .slot(name, .values(values()))
  }

  /// A slot with the cases of an enumeration.
  public init<Values: SlotValues>(_ name: String, _ values: Values.Type) {
    phrase = .slot(name, .values(values.values))
  }
}

extension Phrase {
  /// Its parts, one after the other.
  public init(@PhraseBuilder _ parts: () -> Phrase) {
    self = parts()
  }
}

/// Joins what is written between braces to a phrase.
@resultBuilder
public enum PhraseBuilder {
  /// The words of a text.
  public static func buildExpression(_ words: String) -> Phrase { Phrase(words) }
  /// A phrase as it is.
  public static func buildExpression(_ phrase: Phrase) -> Phrase { phrase }
  /// Something that stands for a phrase.
  public static func buildExpression(_ part: some PhraseConvertible) -> Phrase { part.phrase }
  /// One after the other.
  public static func buildBlock(_ parts: Phrase...) -> Phrase { .joined(parts) }
  /// What a loop gives, one after the other.
  public static func buildArray(_ parts: [Phrase]) -> Phrase { .joined(parts) }
  /// What a condition left away.
  public static func buildOptional(_ part: Phrase?) -> Phrase { part ?? .nothing }
  /// The one side of a condition.
  public static func buildEither(first: Phrase) -> Phrase { first }
  /// The other side of a condition.
  public static func buildEither(second: Phrase) -> Phrase { second }
}

/// Collects what is written between braces as alternatives.
@resultBuilder
public enum AlternativesBuilder {
  /// The words of a text.
  public static func buildExpression(_ words: String) -> [Phrase.Alternative] {
    [Phrase.Alternative(Phrase(words))]
  }
  /// A phrase as it is.
  public static func buildExpression(_ phrase: Phrase) -> [Phrase.Alternative] {
    [Phrase.Alternative(phrase)]
  }
  /// Something that stands for a phrase.
  public static func buildExpression(_ part: some PhraseConvertible) -> [Phrase.Alternative] {
    [Phrase.Alternative(part.phrase)]
  }
  /// A phrase with its weight.
  public static func buildExpression(_ part: Weighted) -> [Phrase.Alternative] {
    [part.alternative]
  }
  /// All of them.
  public static func buildBlock(_ parts: [Phrase.Alternative]...) -> [Phrase.Alternative] {
    parts.flatMap(\.self)
  }
  /// All that a loop gives.
  public static func buildArray(_ parts: [[Phrase.Alternative]]) -> [Phrase.Alternative] {
    parts.flatMap(\.self)
  }
  /// What a condition left away.
  public static func buildOptional(_ part: [Phrase.Alternative]?) -> [Phrase.Alternative] {
    part ?? []
  }
  /// The one side of a condition.
  public static func buildEither(first: [Phrase.Alternative]) -> [Phrase.Alternative] { first }
  /// The other side of a condition.
  public static func buildEither(second: [Phrase.Alternative]) -> [Phrase.Alternative] { second }
}

/// Collects what is written between braces as the values of a slot.
@resultBuilder
public enum ValuesBuilder {
  /// A value whose words are its code.
  public static func buildExpression(_ words: String) -> [Value] { [Value(words)] }
  /// A value.
  public static func buildExpression(_ value: Value) -> [Value] { [value] }
  /// Values that an app has as an array.
  public static func buildExpression(_ values: [Value]) -> [Value] { values }
  /// All of them.
  public static func buildBlock(_ parts: [Value]...) -> [Value] { parts.flatMap(\.self) }
  /// All that a loop gives.
  public static func buildArray(_ parts: [[Value]]) -> [Value] { parts.flatMap(\.self) }
  /// What a condition left away.
  public static func buildOptional(_ part: [Value]?) -> [Value] { part ?? [] }
  /// The one side of a condition.
  public static func buildEither(first: [Value]) -> [Value] { first }
  /// The other side of a condition.
  public static func buildEither(second: [Value]) -> [Value] { second }
}

/// What stands for a phrase in a builder.
public protocol PhraseConvertible {
  /// The phrase.
  var phrase: Phrase { get }
}

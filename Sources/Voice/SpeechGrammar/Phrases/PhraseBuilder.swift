/// Joins the parts between braces to a phrase.
@resultBuilder
public enum PhraseBuilder {
  /// Adds the words of a text.
  public static func buildExpression(_ words: String) -> Phrase { Phrase(words) }
  /// Adds a part such as `OneOf`, or a phrase.
  public static func buildExpression(_ part: some PhraseConvertible) -> Phrase { part.phrase }
  /// Joins the parts of several lines.
  public static func buildBlock(_ parts: Phrase...) -> Phrase { .joined(parts) }
  /// Joins the parts of all rounds of a loop.
  public static func buildArray(_ parts: [Phrase]) -> Phrase { .joined(parts) }
  /// Adds the part of a condition that is true.
  public static func buildOptional(_ part: Phrase?) -> Phrase { part ?? .nothing }
  /// Adds the part of the first branch of a condition.
  public static func buildEither(first: Phrase) -> Phrase { first }
  /// Adds the part of the second branch of a condition.
  public static func buildEither(second: Phrase) -> Phrase { second }
}

/// A type that represents a phrase in a builder.
public protocol PhraseConvertible {
  /// The phrase that it represents.
  var phrase: Phrase { get }
}

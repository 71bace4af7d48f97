/// Collects the elements between the braces of a list: the alternatives of `OneOf`, the values of a
/// `Slot`, the parts of a `CommandGrammar`.
@resultBuilder
public enum ListBuilder<Element> {
  /// Joins the elements of several lines.
  public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }
  /// Joins the elements of all rounds of a loop.
  public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }
  /// Adds the elements of a condition that is true.
  public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
  /// Adds the elements of the first branch of a condition.
  public static func buildEither(first: [Element]) -> [Element] { first }
  /// Adds the elements of the second branch of a condition.
  public static func buildEither(second: [Element]) -> [Element] { second }
}

extension ListBuilder where Element == Phrase.Alternative {
  /// Adds the words of a text.
  public static func buildExpression(_ words: String) -> [Element] { [Element(Phrase(words))] }
  /// Adds a phrase without a weight.
  public static func buildExpression(_ part: some PhraseConvertible) -> [Element] {
    [Element(part.phrase)]
  }
  /// Adds a phrase with its weight.
  public static func buildExpression(_ part: Weighted) -> [Element] { [part.alternative] }
}

extension ListBuilder where Element == Value {
  /// Adds a value whose words are its code.
  public static func buildExpression(_ words: String) -> [Value] { [Value(words)] }
  /// Adds a value with its own code.
  public static func buildExpression(_ value: Value) -> [Value] { [value] }
  /// Adds the values of an array.
  public static func buildExpression(_ values: [Value]) -> [Value] { values }
}

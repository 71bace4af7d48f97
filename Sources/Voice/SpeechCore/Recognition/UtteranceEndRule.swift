/// The silence that ends an utterance, depending on the words so far.
///
/// ```swift
/// let patient = UtteranceEndRule { text in
///   text.hasSuffix(" and") ? .seconds(2) : .milliseconds(700)
/// }
/// ```
public struct UtteranceEndRule: Sendable {
  private let decide: @Sendable (String) -> Duration

  /// Creates a rule. It is evaluated for each new partial text and should return quickly.
  public init(_ silence: @escaping @Sendable (_ text: String) -> Duration) {
    decide = silence
  }

  /// The silence that ends an utterance with that text so far.
  public func silence(after text: String) -> Duration { decide(text) }
}

/// A server that agrees to connections and ends them at once, again and again.
package struct RepeatedQuickFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// How often.
  package let count: Int
  /// What it was the last time.
  package let reason: String

  /// What happened, and what to do about it.
  package var description: String {
    "The server accepted \(count) connections in a row and ended each at once (\(reason)). Check its "
      + "log, the credentials and that it speaks this protocol."
  }
}

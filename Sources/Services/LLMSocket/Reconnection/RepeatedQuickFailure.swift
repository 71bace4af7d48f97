/// An error for a server that repeatedly accepts connections and ends them at once.
package struct RepeatedQuickFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The number of connections.
  package let count: Int
  /// The reason for the last end.
  package let reason: String

  /// A description of the error and of its remedy.
  package var description: String {
    "The server accepted \(count) connections in a row and ended each at once (\(reason)). "
      + "Check its log, the credentials and that it speaks this protocol."
  }
}

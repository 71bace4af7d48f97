/// A failure of the browser, or something that a page did not do.
public struct BrowserError: Error, CustomStringConvertible {
  /// A description of the failure.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

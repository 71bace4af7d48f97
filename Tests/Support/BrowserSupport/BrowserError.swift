/// What went wrong with the browser, or what a page did not do.
public struct BrowserError: Error, CustomStringConvertible {
  /// What happened.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

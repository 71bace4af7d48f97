import Foundation

extension Duration {
  /// A short text for messages: `840 ms`, `2.4 s`.
  package var brief: String {
    let milliseconds = self / .milliseconds(1)
    return milliseconds < 1_000
      ? "\(Int(milliseconds.rounded())) ms" : String(format: "%.1f s", milliseconds / 1_000)
  }
}

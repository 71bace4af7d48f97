/// A progress bar in one line of text.
package struct ProgressBar: Sendable {
  private static let width = 24
  private let title: String

  package init(title: String) {
    self.title = title
  }

  /// The line for a progress from 0 to 1.
  package func text(_ share: Double) -> String {
    let share = min(max(share, 0), 1)
    let full = Int((share * Double(Self.width)).rounded(.down))
    let bar =
      String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
    let percent = String(Int(share * 100))
    let padding = String(repeating: " ", count: max(0, 3 - percent.count))
    return "\(bar) \(padding)\(percent) %  \(title)"
  }
}

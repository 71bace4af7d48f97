/// A progress bar in one line of text.
package struct ProgressBar: Sendable {
  package var title: String
  package var width: Int

  package init(title: String, width: Int = 24) {
    (self.title, self.width) = (title, width)
  }

  /// The line for a progress from 0 to 1.
  package func text(_ share: Double) -> String {
    let share = min(max(share, 0), 1)
    let full = Int((share * Double(width)).rounded(.down))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    let percent = String(Int(share * 100))
    let padding = String(repeating: " ", count: max(0, 3 - percent.count))
    return "\(bar) \(padding)\(percent) %  \(title)"
  }
}

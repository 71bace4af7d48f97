import Foundation

extension Terminal {
  /// Reports a failure. Quotations in it are shortened, because they may have any origin and
  /// length.
  package func noteFailure(_ message: String) {
    note("speechkit: \(message.withShortQuotes)")
  }

  /// Notes how much of an audio file was written before an interruption.
  package func noteInterruption(of file: URL, after duration: Duration) {
    let name = file.relativePath
    note(
      duration > .zero
        ? "speechkit: Interrupted: “\(name)” has the first \(duration.brief), the rest is missing."
        : "speechkit: Interrupted before anything was spoken: “\(name)” is not written.")
  }
}

extension String {
  /// The text with the middle left out of each quotation of more than 300 characters.
  package var withShortQuotes: String {
    let parts = split(separator: "“", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      guard index > 0, let end = part.firstIndex(of: "”") else { return String(part) }
      let quoted = part[..<end]
      guard quoted.count > 300 else { return String(part) }
      return "\(quoted.prefix(200)) … \(quoted.suffix(50))\(part[end...])"
    }.joined(separator: "“")
  }
}

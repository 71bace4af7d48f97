extension Terminal {
  /// Tells the person what failed. What it quotes may have come from anywhere and be of any length.
  func noteFailure(_ message: String) {
    note("speechkit: \(message.withShortQuotes)")
  }
}

extension String {
  /// The beginning and the end of each quotation that is longer than anybody reads.
  var withShortQuotes: String {
    let parts = split(separator: "“", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      guard index > 0, let end = part.firstIndex(of: "”") else { return String(part) }
      let quoted = part[..<end]
      guard quoted.count > 300 else { return String(part) }
      return "\(quoted.prefix(200)) … \(quoted.suffix(50))\(part[end...])"
    }.joined(separator: "“")
  }
}

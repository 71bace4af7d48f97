/// Removes what models add around an answer.
enum AnswerCleanup {
  private static let quotes: [Character: Character] = [
    "\"": "\"", "“": "”", "„": "“", "«": "»", "‘": "’", "'": "'", "»": "«", "「": "」",
  ]

  /// Returns the answer without surrounding whitespace, code fences or quotation marks.
  ///
  /// - Parameter original: The text that the answer is about. If it is in quotation marks itself,
  ///   the answer keeps them.
  static func cleaned(_ answer: String, original: String = "") -> String {
    let trimmed = answer.trimmed
    let unfenced = withoutFence(trimmed).trimmed
    return withoutQuotes(unfenced, original: original.trimmed).trimmed
  }

  /// Returns the content of a code fence that surrounds the whole text.
  static func withoutFence(_ text: String) -> String {
    for mark in ["```", "~~~"] where text.hasPrefix(mark) {
      let fence = text.prefix { $0 == mark.first }
      guard text.hasSuffix(fence), let head = text.firstIndex(where: \.isNewline),
        text.count >= fence.count * 2
      else { continue }
      let inner = text[text.index(after: head)...].dropLast(fence.count)
      // A fence that is closed in between is part of the answer.
      let isWhole =
        (inner.isEmpty || inner.last?.isNewline == true)
        && !inner.split(whereSeparator: \.isNewline).contains { line in
          line.drop { $0 == " " }.hasPrefix(fence)
        }
      if isWhole { return String(inner) }
    }
    return text
  }

  private static func withoutQuotes(_ text: String, original: String) -> String {
    guard text.count >= 2, let first = text.first, let close = quotes[first], text.last == close,
      original.first.map({ quotes[$0] == nil }) ?? true
    else { return text }
    let inner = text.dropFirst().dropLast()
    return inner.contains(first) || inner.contains(close) ? text : String(inner)
  }
}

extension String {
  var trimmed: String {
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// The text without control characters that move a terminal's cursor, change its colours or ring
  /// its bell. Answers come from outside and may contain them.
  var withoutControls: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars
    where scalar.properties.generalCategory != .control || scalar == "\n" || scalar == "\t" {
      result.append(scalar)
    }
    return String(result)
  }
}

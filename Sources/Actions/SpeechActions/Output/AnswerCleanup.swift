/// Takes away what models put around an answer.
enum AnswerCleanup {
  private static let quotes: [Character: Character] = [
    "\"": "\"", "“": "”", "„": "“", "«": "»", "‘": "’", "'": "'", "»": "«", "「": "」",
  ]

  /// The answer without blanks at its ends, and without a fence or quotation marks around all of it.
  ///
  /// - Parameter original: the text it is about; what stood in quotation marks itself keeps them.
  static func cleaned(_ answer: String, original: String = "") -> String {
    let trimmed = answer.trimmed
    let unfenced = withoutFence(trimmed).trimmed
    return withoutQuotes(unfenced, original: original.trimmed).trimmed
  }

  /// What is within a fence that goes around all of the text.
  static func withoutFence(_ text: String) -> String {
    for mark in ["```", "~~~"] where text.hasPrefix(mark) {
      let fence = text.prefix { $0 == mark.first }
      guard text.hasSuffix(fence), let head = text.firstIndex(where: \.isNewline),
        text.count >= fence.count * 2
      else { continue }
      let inner = text[text.index(after: head)...].dropLast(fence.count)
      // One that is closed in between is a part of the answer.
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
  /// Without white space at both ends.
  var trimmed: String {
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// Without what moves a terminal's cursor, changes its colours or rings its bell: an answer comes from
  /// outside.
  var withoutControls: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars
    where scalar.properties.generalCategory != .control || scalar == "\n" || scalar == "\t" {
      result.append(scalar)
    }
    return String(result)
  }
}

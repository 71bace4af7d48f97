/// The heading of a section: `intent switch_light:`, `rule polite:`, `slot room:`, `grammar: home`.
struct TemplateHeading {
  var kind: String
  var name: String
  var weight: String?
  /// The text after the colon.
  var rest: ArraySlice<Character>

  /// The heading at the beginning of a line; `nil` if there is none.
  init?(_ line: ArraySlice<Character>) {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    rest = line[(colon + 1)...]
    var words = String(line[..<colon]).split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first else { return nil }
    kind = first
    words.removeFirst()
    switch kind {
    case "grammar", "language":
      name = ""
      guard words.isEmpty else { return nil }
    case "intent", "rule", "slot":
      if kind == "intent", words.count == 2, words[1].hasPrefix("/"), words[1].hasSuffix("/"),
        words[1].count > 2
      {
        weight = String(words.removeLast().dropFirst().dropLast())
      }
      guard words.count == 1, Self.isName(words[0]) else { return nil }
      name = words[0]
    default: return nil
    }
  }

  /// True if the text can be the name of an intent, a rule or a slot.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." }
  }
}

extension SlotType {
  /// The built-in type of that name: `number`, `number 0 to 100`, `number 0..100`, `time`; `nil` if
  /// the text names none.
  ///
  /// - Throws: `GrammarDiagnostic` for an invalid range.
  init?(named text: String) throws(GrammarDiagnostic) {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    switch words.first {
    case "time" where words.count == 1: self = .time
    case "date" where words.count == 1: self = .date
    case "duration" where words.count == 1: self = .duration
    case "number":
      guard let range = try Self.range(words.dropFirst(), within: 0...999_999) else { return nil }
      self = .number(range)
    case "ordinal":
      guard let range = try Self.range(words.dropFirst(), within: 1...999) else { return nil }
      self = .ordinal(range)
    default: return nil
    }
  }

  private static func range(
    _ words: ArraySlice<String>, within all: ClosedRange<Int>
  ) throws(GrammarDiagnostic) -> ClosedRange<Int>? {
    if words.isEmpty { return all }
    let text = words.joined(separator: " ")
    let bounds =
      text.contains("..")
      ? text.replacing("..", with: " ").split(separator: " ").map(String.init)
      : text.split(separator: " ").map(String.init).filter { $0 != "to" }
    guard bounds.count == 2, let low = Int(bounds[0]), let high = Int(bounds[1]) else { return nil }
    guard low <= high, all.contains(low), all.contains(high) else {
      throw GrammarDiagnostic(
        .badRange("“\(text)” is no range within \(all.lowerBound) and \(all.upperBound)"))
    }
    return low...high
  }
}

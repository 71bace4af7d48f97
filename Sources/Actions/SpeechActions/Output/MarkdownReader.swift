/// Reads Markdown line by line.
struct MarkdownReader {
  private var blocks: [Markdown.Block] = []
  private var paragraph: [Substring] = []
  /// The fence that ends the current code block.
  private var fence: Substring?
  private var code: [String] = []

  mutating func take(_ line: Substring) {
    let content = line.drop { $0 == " " || $0 == "\t" }
    if let fence {
      if content.hasPrefix(fence), content.allSatisfy({ $0 == fence.first || $0.isWhitespace }) {
        endCode()
      } else {
        code.append(String(line))
      }
      return
    }
    let marks = content.prefix { $0 == "`" }
    let waves = content.prefix { $0 == "~" }
    if marks.count >= 3 || waves.count >= 3 {
      endParagraph()
      fence = marks.count >= 3 ? marks : waves
    } else if content.isEmpty {
      endParagraph()
      if let last = blocks.last, last != .gap { blocks.append(.gap) }
    } else if let heading = heading(content) {
      endParagraph()
      blocks.append(heading)
    } else if isRule(content) {
      endParagraph()
      blocks.append(.rule)
    } else if content.hasPrefix(">") {
      endParagraph()
      blocks.append(.quotation(MarkdownLine.spans(content.drop { $0 == ">" || $0 == " " })))
    } else if let item = item(content, indentation: line.count - content.count) {
      endParagraph()
      blocks.append(item)
    } else {
      paragraph.append(content)
    }
  }

  mutating func finish() -> [Markdown.Block] {
    // An unclosed fence extends to the end.
    if fence != nil { endCode() }
    endParagraph()
    return blocks
  }

  private mutating func endCode() {
    blocks.append(.code(code))
    (fence, code) = (nil, [])
  }

  private mutating func endParagraph() {
    guard !paragraph.isEmpty else { return }
    // Line breaks are kept, because they usually matter in answers.
    blocks.append(.paragraph(MarkdownLine.spans(Substring(paragraph.joined(separator: "\n")))))
    paragraph = []
  }

  private func heading(_ line: Substring) -> Markdown.Block? {
    let level = line.prefix { $0 == "#" }.count
    let rest = line.dropFirst(level)
    guard (1...6).contains(level), rest.first == " " else { return nil }
    return .heading(level: level, MarkdownLine.spans(rest.drop { $0 == " " }))
  }

  private func isRule(_ line: Substring) -> Bool {
    let marks = line.filter { !$0.isWhitespace }
    guard marks.count >= 3, let first = marks.first, "-*_".contains(first) else { return false }
    return marks.allSatisfy { $0 == first }
  }

  private func item(_ line: Substring, indentation: Int) -> Markdown.Block? {
    let depth = min(indentation / 2, 8)
    if let first = line.first, "-*+".contains(first), line.dropFirst().first == " " {
      return .item(
        depth: depth, mark: "-", MarkdownLine.spans(line.dropFirst().drop { $0 == " " }))
    }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line.dropFirst(digits.count)
    guard (1...9).contains(digits.count), rest.first == "." || rest.first == ")",
      rest.dropFirst().first == " "
    else { return nil }
    return .item(
      depth: depth, mark: "\(digits).", MarkdownLine.spans(rest.dropFirst().drop { $0 == " " }))
  }
}

/// Reads the marks within a line.
///
/// A mark without a closing counterpart is searched for only once, so that the time stays linear
/// for a text of opening marks.
struct MarkdownLine {
  private let characters: [Character]
  private var spans: [Markdown.Span] = []
  private var pending = ""
  private var missing: Set<String> = []

  static func spans(_ text: Substring) -> [Markdown.Span] {
    var line = MarkdownLine(characters: Array(text))
    line.read(0..<line.characters.count, style: [], depth: 0)
    line.flush([])
    return line.spans
  }

  private init(characters: [Character]) {
    self.characters = characters
  }

  private static let marks: [(String, Markdown.Style)] = [
    ("**", .strong), ("__", .strong), ("~~", .struck), ("*", .emphasis), ("_", .emphasis),
  ]

  private mutating func read(_ range: Range<Int>, style: Markdown.Style, depth: Int) {
    var index = range.lowerBound
    while index < range.upperBound {
      let character = characters[index]
      if character == "\\", index + 1 < range.upperBound, characters[index + 1].isPunctuation {
        pending.append(characters[index + 1])
        index += 2
      } else if character == "`", let end = closing("`", after: index, in: range) {
        flush(style)
        spans.append(
          Markdown.Span(text: String(characters[index + 1..<end]), style: style.union(.code)))
        index = end + 1
      } else if character == "[", let link = link(at: index, in: range) {
        flush(style)
        spans.append(Markdown.Span(text: link.text, style: style, target: link.target))
        index = link.end
      } else if depth < 8, let (mark, added, end) = marked(at: index, in: range) {
        flush(style)
        read(index + mark.count..<end, style: style.union(added), depth: depth + 1)
        flush(style.union(added))
        index = end + mark.count
      } else {
        pending.append(character)
        index += 1
      }
    }
  }

  private mutating func flush(_ style: Markdown.Style) {
    guard !pending.isEmpty else { return }
    spans.append(Markdown.Span(text: pending, style: style))
    pending = ""
  }

  private mutating func marked(
    at index: Int, in range: Range<Int>
  ) -> (String, Markdown.Style, Int)? {
    guard "*_~".contains(characters[index]) else { return nil }
    for (mark, style) in Self.marks where has(mark, at: index, in: range) {
      let after = index + mark.count
      guard after < range.upperBound, !characters[after].isWhitespace else { continue }
      // Underscores within words are part of names.
      if mark.hasPrefix("_"), index > 0, characters[index - 1].isLetter { continue }
      if let end = closing(mark, after: index + mark.count - 1, in: range) {
        return (mark, style, end)
      }
    }
    return nil
  }

  private func has(_ mark: String, at index: Int, in range: Range<Int>) -> Bool {
    index + mark.count <= range.upperBound
      && characters[index..<index + mark.count].elementsEqual(mark)
  }

  private mutating func closing(_ mark: String, after index: Int, in range: Range<Int>) -> Int? {
    // A mark that is missing in the whole text is missing in its parts.
    guard !missing.contains(mark) else { return nil }
    var place = index + 1
    while place < range.upperBound {
      if characters[place] == "\\", mark != "`" {
        place += 2
        continue
      }
      if has(mark, at: place, in: range), place > index + 1,
        mark == "`" || !characters[place - 1].isWhitespace
      {
        return place
      }
      place += 1
    }
    if range.upperBound == characters.count { missing.insert(mark) }
    return nil
  }

  private mutating func link(
    at index: Int, in range: Range<Int>
  ) -> (text: String, target: String, end: Int)? {
    guard let middle = closing("]", after: index, in: range), middle + 1 < range.upperBound,
      characters[middle + 1] == "(", let end = closing(")", after: middle + 1, in: range)
    else { return nil }
    let target = String(characters[middle + 2..<end])
    guard !target.contains(where: \.isWhitespace) else { return nil }
    return (String(characters[index + 1..<middle]), target, end + 1)
  }
}

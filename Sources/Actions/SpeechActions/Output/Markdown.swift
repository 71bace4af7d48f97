/// The Markdown that models write: headings, paragraphs, lists, quotations, code and rules; and
/// within lines strong, emphasised and struck text, code and links.
///
/// Unclosed marks stay as they are, and no text is lost.
package struct Markdown: Sendable, Hashable {
  enum Block: Sendable, Hashable {
    case heading(level: Int, [Span])
    case paragraph([Span])
    case item(depth: Int, mark: String, [Span])
    case quotation([Span])
    case code([String])
    case rule
    case gap
  }

  struct Span: Sendable, Hashable {
    var text: String
    var style: Style
    var target: String?
  }

  struct Style: OptionSet, Sendable, Hashable {
    let rawValue: Int

    static let strong = Style(rawValue: 1)
    static let emphasis = Style(rawValue: 2)
    static let struck = Style(rawValue: 4)
    static let code = Style(rawValue: 8)
  }

  let blocks: [Block]

  /// Reads Markdown. Any text is valid.
  package init(_ source: String) {
    var reader = MarkdownReader()
    for line in source.withoutControls.split(separator: "\n", omittingEmptySubsequences: false) {
      reader.take(line)
    }
    blocks = reader.finish()
  }

  /// The text without markup. Links are followed by their addresses.
  package var plainText: String {
    blocks.map { block in
      switch block {
      case .heading(_, let spans), .paragraph(let spans), .quotation(let spans): Self.plain(spans)
      case .item(let depth, let mark, let spans):
        Self.indentation(depth) + mark + " " + Self.plain(spans)
      case .code(let lines): lines.joined(separator: "\n")
      case .rule: "----"
      case .gap: ""
      }
    }.joined(separator: "\n").trimmed
  }

  /// The text with terminal weights and colours. Control characters of the source are removed.
  package var ansi: String {
    blocks.map { block in
      switch block {
      case .heading(_, let spans): Self.coloured(spans, always: ["1", "4"])
      case .paragraph(let spans): Self.coloured(spans)
      case .quotation(let spans): "\u{1B}[2m│\u{1B}[0m " + Self.coloured(spans, always: ["3"])
      case .item(let depth, let mark, let spans):
        Self.indentation(depth) + (mark == "-" ? "•" : mark) + " " + Self.coloured(spans)
      case .code(let lines):
        lines.map { "  \u{1B}[36m\($0)\u{1B}[0m" }.joined(separator: "\n")
      case .rule: "\u{1B}[2m" + String(repeating: "─", count: 24) + "\u{1B}[0m"
      case .gap: ""
      }
    }.joined(separator: "\n").trimmed
  }

  private static func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  private static func plain(_ spans: [Span]) -> String {
    spans.map { span in
      guard let target = span.target, target != span.text else { return span.text }
      return "\(span.text) (\(target))"
    }.joined()
  }

  private static func coloured(_ spans: [Span], always: [String] = []) -> String {
    spans.map { span in
      var codes = always
      if span.style.contains(.strong) { codes.append("1") }
      if span.style.contains(.emphasis) { codes.append("3") }
      if span.style.contains(.struck) { codes.append("9") }
      if span.style.contains(.code) { codes.append("36") }
      if span.target != nil { codes.append("4") }
      let text =
        codes.isEmpty ? span.text : "\u{1B}[\(codes.joined(separator: ";"))m\(span.text)\u{1B}[0m"
      guard let target = span.target, target != span.text else { return text }
      return text + " \u{1B}[2m(\(target))\u{1B}[0m"
    }.joined()
  }
}

import Foundation
import SpeechText

/// Reads a template in one pass, and collects its syntax errors.
struct TemplateReader {
  /// A condition whose end has not been read yet.
  private struct Open {
    var name: String
    var place: TextPosition
    var before: [PromptTemplate.Node]
    /// The part before `{{else}}`, once that has been read.
    var met: [PromptTemplate.Node]?
  }

  private static let maximumDiagnostics = 50
  private static let blanks = CharacterSet(charactersIn: "\u{0}"..."\u{20}")

  private let source: [Unicode.Scalar]
  private var counter: PositionCounter
  private var nodes: [PromptTemplate.Node] = []
  private var text = String.UnicodeScalarView()
  private var open: [Open] = []
  /// The number of open conditions beyond the maximum depth, whose ends are ignored.
  private var passedOver = 0
  private(set) var diagnostics: [TemplateDiagnostic] = []

  init(_ source: String) {
    self.source = Array(source.unicodeScalars)
    counter = PositionCounter(self.source)
  }

  mutating func read() -> [PromptTemplate.Node] {
    guard source.reduce(0, { $0 + UTF8.width($1) }) <= PromptTemplate.longest else {
      note(
        TextPosition(line: 1, column: 1),
        "The template is longer than \(PromptTemplate.longest >> 10) KiB. Shorten it.")
      return []
    }
    var index = 0
    while index < source.count {
      if source[index] == "\\" {
        index = readBackslashes(at: index)
      } else if isPair("{", at: index) {
        index = readTag(at: index)
      } else {
        text.append(source[index])
        index += 1
      }
    }
    endText()
    while let condition = open.popLast() {
      note(condition.place, "This condition is not closed. Add {{/if}}.")
      nodes = condition.before
    }
    return nodes
  }

  /// Before two braces, two backslashes stand for one, and a single one escapes the braces.
  private mutating func readBackslashes(at start: Int) -> Int {
    var end = start
    while end < source.count, source[end] == "\\" { end += 1 }
    let count = end - start
    guard isPair("{", at: end) else {
      text += source[start..<end]
      return end
    }
    text += repeatElement("\\", count: count / 2)
    guard count % 2 == 1 else { return end }
    text += "{{".unicodeScalars
    return end + 2
  }

  /// - Returns: The index at which reading continues.
  private mutating func readTag(at start: Int) -> Int {
    let place = counter.position(of: start)
    guard let end = endOfTag(from: start + 2) else {
      note(place, "The closing }} is missing. To write two braces, use \\{{.")
      text += source[start..<start + 2]
      return start + 2
    }
    endText()
    let bar = source[start + 2..<end].firstIndex(of: "|")
    let head = string(start + 2..<(bar ?? end))
    let escape = /\\([\\{}|])/.matchingSemantics(.unicodeScalar)
    let words = bar.map { string($0 + 1..<end).replacing(escape) { $0.1 } }
    read(head.trimmingCharacters(in: Self.blanks), words, at: place)
    return end + 2
  }

  private mutating func read(_ head: String, _ words: String?, at place: TextPosition) {
    if head.hasPrefix("#") || head.hasPrefix("/") || head == "else" {
      if words != nil { note(place, "Only variables can have words after |. Remove them.") }
      readKeyword(head, at: place)
    } else if Self.isName(head) {
      nodes.append(.gap(name: head, otherwise: words, at: place))
    } else {
      note(
        place,
        head.isEmpty
          ? "A name is missing between the braces. To write two braces, use \\{{."
          : "“\(Self.shown(head))” is not a valid variable name. Use letters, digits, - and _.")
    }
  }

  private mutating func readKeyword(_ head: String, at place: TextPosition) {
    let parts = head.split(whereSeparator: \.isWhitespace)
    switch parts.first {
    case "#if":
      guard parts.count == 2, Self.isName(String(parts[1])) else {
        note(place, "A condition needs one variable: {{#if name}}.")
        // Opened nevertheless, because otherwise its end would be reported as well.
        begin(Open(name: "", place: place, before: nodes))
        return
      }
      begin(Open(name: String(parts[1]), place: place, before: nodes))
    case "else":
      if passedOver > 0 { return }
      guard let last = open.indices.last else {
        return note(place, "This {{else}} belongs to no condition. Remove it.")
      }
      guard open[last].met == nil else {
        return note(place, "The condition already has an {{else}}. Remove one.")
      }
      open[last].met = nodes
      nodes = []
    case "/if":
      if passedOver > 0 {
        passedOver -= 1
        return
      }
      guard let condition = open.popLast() else {
        return note(place, "This {{/if}} closes no condition. Remove it.")
      }
      let inner = nodes
      nodes = condition.before
      nodes.append(
        .condition(
          name: condition.name, at: condition.place, met: condition.met ?? inner,
          unmet: condition.met == nil ? [] : inner))
    default:
      note(
        place,
        "“\(Self.shown(String(parts.first ?? "")))” is unknown. There are {{#if name}}, {{else}} "
          + "and {{/if}}.")
    }
  }

  private mutating func begin(_ condition: Open) {
    guard open.count < PromptTemplate.maximumDepth else {
      passedOver += 1
      return note(
        condition.place,
        "Conditions are nested more than \(PromptTemplate.maximumDepth) levels deep. Simplify the "
          + "template."
      )
    }
    open.append(condition)
    nodes = []
  }

  /// Returns the index of the closing braces; `nil` if another tag begins before them, or if there
  /// are none.
  private func endOfTag(from start: Int) -> Int? {
    var index = start
    while index < source.count {
      if source[index] == "\\" {
        index += 2
      } else if isPair("}", at: index) {
        return index
      } else if isPair("{", at: index) {
        return nil
      } else {
        index += 1
      }
    }
    return nil
  }

  private func isPair(_ brace: Unicode.Scalar, at index: Int) -> Bool {
    index + 1 < source.count && source[index] == brace && source[index + 1] == brace
  }

  private func string(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(source[range]))
  }

  private mutating func endText() {
    guard !text.isEmpty else { return }
    nodes.append(.text(String(text)))
    text = .init()
  }

  private mutating func note(_ place: TextPosition, _ message: String) {
    guard diagnostics.count < Self.maximumDiagnostics else { return }
    diagnostics.append(TemplateDiagnostic(line: place.line, column: place.column, message: message))
  }

  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
      first != UInt8(ascii: "-"), name != "else"
    else { return false }
    return Identifier.isValid(name)
  }

  private static func shown(_ text: String) -> String {
    text.count > 40 ? text.prefix(40) + "…" : text
  }
}

import AIServices

/// Changes a file and preserves everything else in it: comments, order, blank lines and the
/// notation of values.
struct TOMLEditor: Sendable {
  /// A section of the file: a table with the comments above it.
  private struct Block: Sendable {
    var path: [String]
    var text: [Unicode.Scalar]

    /// The table, with ranges relative to the block. The first table of the text stands for the
    /// content above the header.
    var table: TOMLDocument.Table {
      let tables = TOMLDocument(text).tables
      return tables.last { $0.path == path } ?? tables[0]
    }

    mutating func insert(_ line: String, at place: Int) {
      text.insert(contentsOf: line.unicodeScalars, at: place)
    }

    /// Adds line breaks at the end until there are as many, unless the block is empty.
    mutating func end(with count: Int) {
      guard !text.isEmpty else { return }
      while !text.suffix(count).elementsEqual(repeatElement("\n", count: count)) {
        text.append("\n")
      }
    }
  }

  private var blocks: [Block]

  init(_ document: TOMLDocument) {
    blocks = document.tables.map { table in
      Block(path: table.path, text: Array(document.text[table.range]))
    }
  }

  var text: String { String(String.UnicodeScalarView(blocks.flatMap(\.text))) }

  var paths: [[String]] { blocks.map(\.path) }

  /// Sets a value in its place, or after the other entries of its table.
  mutating func set(_ key: String, _ value: SendableValue, in path: [String]) {
    guard let index = blocks.firstIndex(where: { $0.path == path }) else { return }
    let table = blocks[index].table
    if let entry = table.entry(key) {
      blocks[index].text.replaceSubrange(entry.valueRange, with: value.toml.unicodeScalars)
      return
    }
    let isFirst = path.isEmpty && table.entries.isEmpty
    // The comment above the first entry may describe the file.
    let place =
      isFirst
      ? Self.endOfLeadingComment(blocks[index].text)
      : table.entries.last?.lines.upperBound ?? table.headerEnd
    let isAtLineStart = place == 0 || blocks[index].text[place - 1] == "\n"
    let rest = blocks[index].text[place...].first
    let needsBlankLine = isFirst && rest != nil && rest != "\n"
    blocks[index].insert(
      (isAtLineStart ? "" : "\n") + Self.line(key, value) + (needsBlankLine ? "\n" : ""), at: place)
  }

  mutating func remove(_ key: String, in path: [String]) {
    guard let index = blocks.firstIndex(where: { $0.path == path }),
      let entry = blocks[index].table.entry(key)
    else { return }
    blocks[index].text.removeSubrange(entry.lines)
  }

  /// Adds a table after another one, or at the end if that is `nil`.
  mutating func add(_ table: TOMLTable, behind neighbour: [String]?) {
    let header = table.path.map(Self.written).joined(separator: ".")
    let text = "[\(header)]\n" + table.entries.map { Self.line($0.key, $0.value) }.joined()
    let last = blocks.lastIndex { $0.path.starts(with: neighbour ?? []) } ?? blocks.count - 1
    // Tables are separated by a blank line, also if the file ended without one.
    blocks[last].end(with: 2)
    let isLast = last == blocks.count - 1
    blocks.insert(
      Block(path: table.path, text: Array((text + (isLast ? "" : "\n")).unicodeScalars)),
      at: last + 1)
  }

  /// Removes a table and the comments directly above it.
  mutating func remove(_ path: [String]) {
    guard !path.isEmpty else { return }
    blocks.removeAll { $0.path == path }
  }

  /// Reorders tables within their present places.
  mutating func arrange(_ paths: [[String]]) {
    let movable = Set(paths)
    let places = blocks.indices.filter { movable.contains(blocks[$0].path) }
    let present = Dictionary(blocks.map { ($0.path, $0) }) { first, _ in first }
    let wanted = paths.compactMap { present[$0] }
    guard places.count == wanted.count, places.map({ blocks[$0].path }) != wanted.map(\.path) else {
      return
    }
    for (place, block) in zip(places, wanted) {
      blocks[place] = block
      if place < blocks.count - 1 { blocks[place].end(with: 1) }
    }
  }

  private static func endOfLeadingComment(_ text: [Unicode.Scalar]) -> Int {
    var end = 0
    while end < text.count, text[end] == "#" {
      end = text[end...].firstIndex(of: "\n").map { $0 + 1 } ?? text.count
    }
    return end
  }

  private static func line(_ key: String, _ value: SendableValue) -> String {
    "\(written(key)) = \(value.toml)\n"
  }

  private static func written(_ key: String) -> String {
    Identifier.isValid(key) ? key : SendableValue.string(key).toml
  }
}

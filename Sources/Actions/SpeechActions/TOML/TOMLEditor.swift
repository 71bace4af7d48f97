/// Changes a file and preserves everything else in it: comments, order, blank lines and the
/// notation of values.
struct TOMLEditor: Sendable {
  /// A section of the file: a table with the comments above it.
  private struct Block: Sendable {
    var path: [String]
    var text: [UInt8]
  }

  private var blocks: [Block]

  /// Creates an editor for a file without errors.
  init(_ document: TOMLDocument) {
    blocks = document.tables.map { table in
      Block(path: table.path, text: Array(document.bytes[table.range]))
    }
  }

  /// The file with all changes.
  var text: String { String(decoding: blocks.flatMap(\.text), as: UTF8.self) }

  /// The paths of the tables.
  var paths: [[String]] { blocks.map(\.path) }

  /// Sets a value in its place, or after the other entries of its table.
  mutating func set(_ key: String, _ value: TOMLValue, in path: [String]) {
    guard let index = blocks.firstIndex(where: { $0.path == path }) else { return }
    let table = ownTable(index)
    if let entry = table.entry(key) {
      blocks[index].text.replaceSubrange(entry.valueRange, with: Array(value.written.utf8))
      return
    }
    let line = Array("\(Self.written(key)) = \(value.written)\n".utf8)
    var place = table.entries.last?.lines.upperBound ?? table.headerEnd
    // The comment above the first entry may describe the file.
    if path.isEmpty, table.entries.isEmpty { place = Self.endOfLeadingComment(blocks[index].text) }
    let needsEnd = place > 0 && blocks[index].text[place - 1] != UInt8(ascii: "\n")
    blocks[index].text.insert(contentsOf: (needsEnd ? [UInt8(ascii: "\n")] : []) + line, at: place)
    if path.isEmpty, table.entries.isEmpty, place + line.count < blocks[index].text.count,
      blocks[index].text[place + line.count] != UInt8(ascii: "\n")
    {
      blocks[index].text.insert(UInt8(ascii: "\n"), at: place + line.count)
    }
  }

  /// Removes a value and its lines.
  mutating func remove(_ key: String, in path: [String]) {
    guard let index = blocks.firstIndex(where: { $0.path == path }),
      let entry = ownTable(index).entry(key)
    else { return }
    blocks[index].text.removeSubrange(entry.lines)
  }

  /// Adds a table after another one, or at the end if that is `nil`.
  mutating func add(_ table: TOMLTable, behind neighbour: [String]?) {
    let header = table.path.map(Self.written).joined(separator: ".")
    let lines = table.keys.compactMap { key in
      table[key].map { "\(Self.written(key)) = \($0.written)\n" }
    }
    let text = "[\(header)]\n" + lines.joined()
    var place = blocks.count
    if let neighbour, let index = blocks.lastIndex(where: { $0.path.starts(with: neighbour) }) {
      place = index + 1
    }
    // Tables are separated by a blank line, also if the file ended without one.
    var before = blocks[place - 1].text
    if !before.isEmpty {
      if before.last != UInt8(ascii: "\n") { before.append(UInt8(ascii: "\n")) }
      if !before.suffix(2).elementsEqual("\n\n".utf8) { before.append(UInt8(ascii: "\n")) }
      blocks[place - 1].text = before
    }
    let isLast = place == blocks.count
    blocks.insert(
      Block(path: table.path, text: Array((text + (isLast ? "" : "\n")).utf8)), at: place)
  }

  /// Removes a table and the comments directly above it.
  mutating func remove(_ path: [String]) {
    guard !path.isEmpty else { return }
    blocks.removeAll { $0.path == path }
  }

  /// Reorders tables within their present places.
  mutating func arrange(_ paths: [[String]]) {
    let wantedPaths = Set(paths)
    let places = blocks.indices.filter { wantedPaths.contains(blocks[$0].path) }
    let present = Dictionary(blocks.map { ($0.path, $0) }) { first, _ in first }
    let wanted = paths.compactMap { present[$0] }
    guard places.count == wanted.count, places.map({ blocks[$0].path }) != wanted.map(\.path) else {
      return
    }
    for (place, block) in zip(places, wanted) {
      blocks[place] = block
      if place < blocks.count - 1, blocks[place].text.last != UInt8(ascii: "\n") {
        blocks[place].text.append(UInt8(ascii: "\n"))
      }
    }
  }

  /// Returns the table of a block, with positions relative to the block.
  private func ownTable(_ index: Int) -> TOMLDocument.Table {
    let tables = TOMLDocument(bytes: blocks[index].text).tables
    // The first table stands for the content above the header.
    return tables.last { $0.path == blocks[index].path } ?? tables[0]
  }

  private static func endOfLeadingComment(_ text: [UInt8]) -> Int {
    var end = 0
    var index = 0
    while index < text.count, text[index] == UInt8(ascii: "#") {
      index = text[index...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
      end = index
    }
    return end
  }

  private static func written(_ key: String) -> String {
    Identifier.isValid(key) ? key : TOMLValue.string(key).written
  }
}

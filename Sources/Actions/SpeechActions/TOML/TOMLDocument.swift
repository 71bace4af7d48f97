import SpeechText

/// A configuration file as it was read: its tables and entries, each with its place, and what is wrong with
/// its form.
///
/// The form is a part of TOML 1.0: comments, tables, texts, numbers, true and false, and lists.
struct TOMLDocument: Sendable {
  struct Entry: Sendable {
    var key: String
    var value: TOMLValue
    var place: TextPosition
    var valuePlace: TextPosition
    /// The bytes of the value.
    var valueRange: Range<Int>
    /// The bytes of all its lines, the last line's end included.
    var lines: Range<Int>
    /// The first line of a text as it stands in the file, if every line of it does.
    var firstLine: Int?
  }

  struct Table: Sendable {
    /// The names in the header; none for what comes before the first header.
    var path: [String]
    var place: TextPosition
    var entries: [Entry] = []
    /// Where the table begins, comments right above the header included, and where the next one does.
    var range: Range<Int>
    /// The end of the header's line.
    var headerEnd: Int

    var name: String { path.joined(separator: ".") }

    func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }
  }

  let bytes: [UInt8]
  let tables: [Table]
  let diagnostics: [ConfigurationDiagnostic]
  private let places: [[String]: Int]

  /// Reads a file, whatever is in it.
  init(_ text: String) {
    self.init(bytes: Array(text.utf8))
  }

  /// Reads bytes, which need not be text.
  init(bytes: [UInt8]) {
    var reader = TOMLReader(bytes)
    reader.read()
    self.bytes = bytes
    tables = reader.tables
    diagnostics = reader.diagnostics
    places = Dictionary(
      tables.enumerated().map { ($0.element.path, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  func table(_ path: [String]) -> Table? { places[path].map { tables[$0] } }
}

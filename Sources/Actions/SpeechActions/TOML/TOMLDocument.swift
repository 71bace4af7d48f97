import AIServices
import SpeechText

/// A parsed TOML file: its tables and entries with their positions, and its syntax errors.
///
/// A subset of TOML 1.0: comments, tables, strings, numbers, booleans and arrays. Dates, inline
/// tables, arrays of tables and dotted keys are not supported.
///
/// Ranges count code points.
struct TOMLDocument: Sendable {
  struct Entry: Sendable {
    var key: String
    var value: SendableValue
    var place: TextPosition
    var valuePlace: TextPosition
    var valueRange: Range<Int>
    /// The range of all lines of the entry, including the last line break.
    var lines: Range<Int>
    /// The line of the first line of a multi-line string; `nil` for other values, and for strings
    /// with escapes.
    var firstLine: Int?
  }

  struct Table: Sendable {
    /// The names in the header; empty for entries before the first header.
    var path: [String]
    var place: TextPosition
    var entries: [Entry] = []
    /// The range of the table, including comments directly above the header.
    var range: Range<Int>
    /// The end of the header's line.
    var headerEnd: Int

    var name: String { path.joined(separator: ".") }

    func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }
  }

  let text: [Unicode.Scalar]
  let tables: [Table]
  let diagnostics: [ConfigurationDiagnostic]
  private let places: [[String]: Int]

  init(_ text: String) {
    self.init(Array(text.unicodeScalars))
  }

  init(_ text: [Unicode.Scalar]) {
    var reader = TOMLReader(text)
    reader.read()
    self.text = text
    tables = reader.tables
    diagnostics = reader.diagnostics
    places = Dictionary(tables.enumerated().map { ($1.path, $0) }) { first, _ in first }
  }

  func table(_ path: [String]) -> Table? { places[path].map { tables[$0] } }
}

import ServiceDownloads
import SpeechCommand
import SpeechFiles
import SpeechKit

struct ListEnginesCommand: Command {
  static let about = CommandDeclaration(
    name: "engines list",
    summary: "List the files of engines that are installed, and that can be",
    discussion: """
      Prints a line per file: its name, its size, its languages, its word errors, the processor time
      for a second of speech, its licence, and its path if it is installed. Installed models that
      are not published come last.

      Word errors are the share of words that are recognised wrongly. “measured” is on this
      project's corpus of read speech, with whole sentences and numbers as they are written;
      “published” is by the authors of the model on LibriSpeech test-clean, which is easier. A blank
      means that there is no figure.

      --json writes an array of objects with “name”, “title”, “size” in bytes, “languages”,
      “licence”, “address”, “digest”, “isInstalled” and, if known, “wordErrors” in percent,
      “wordErrorsOrigin” (measured or published), “processorTime” in seconds and “path”.
      """,
    examples: [
      "speechkit engines list": "List all files",
      "speechkit engines --json | jq -r '.[] | select(.isInstalled).name'":
        "List the names of those that are installed",
    ])

  @Flag("--json", help: "Write JSON.") var isJSON

  private struct Row {
    var name: String
    var file: PublishedFile?
    var path: String?
  }

  func run(on terminal: Terminal) async throws {
    let rows = PublishedFileSet.standard.flatMap { set -> [Row] in
      let installed = set.installed()
      let known = Set(set.files.map(\.name))
      return set.files.map { file in
        Row(name: file.name, file: file, path: installed.first { $0.name == file.name }?.path)
      }
        + installed.filter { !known.contains($0.name) }.map { Row(name: $0.name, path: $0.path) }
    }
    let table = TextTable(
      rows.map(Self.cells),
      heading: ["NAME", "SIZE", "LANGUAGES", "WORD ERRORS", "CPU", "LICENCE", "INSTALLED"])
    try await terminal.write(table.text, json: rows.map(Self.record), isJSON: isJSON)
  }

  private static func cells(_ row: Row) -> [String] {
    [
      row.name, row.file?.size.megabytes ?? "", row.file?.languages ?? "",
      row.file?.wordErrors.map { text($0, suffix: " %") } ?? "",
      row.file?.processorTime.map { text($0, suffix: " s") } ?? "", row.file?.licence ?? "",
      row.path ?? "",
    ]
  }

  private static func text(_ figure: PublishedFile.Figure, suffix: String) -> String {
    let digits = suffix == " s" ? "%.2f" : "%.1f"
    return String(format: digits, figure.value) + suffix + " \(origin(figure))"
  }

  private static func origin(_ figure: PublishedFile.Figure) -> String {
    figure.isMeasured ? "measured" : "published"
  }

  private static func record(_ row: Row) -> JSONRecord {
    [
      "name": row.name, "title": row.file?.title, "size": row.file?.size,
      "languages": row.file?.languages, "licence": row.file?.licence,
      "address": row.file?.address, "digest": row.file?.digest.text,
      "wordErrors": row.file?.wordErrors?.value,
      "wordErrorsOrigin": row.file?.wordErrors.map(origin),
      "processorTime": row.file?.processorTime?.value, "isInstalled": row.path != nil,
      "path": row.path,
    ]
  }
}

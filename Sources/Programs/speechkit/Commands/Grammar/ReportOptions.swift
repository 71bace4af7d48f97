import SpeechCommand
import SpeechTesting

/// The options of commands that write a report as text, as JSON, or as a page.
struct ReportOptions: OptionGroup {
  @Option(
    "--html", as: .text("FILE", .output(.text)),
    help: "Write the report as a self-contained web page.")
  var page: String?
  @Flag("--json", help: "Write JSON.") var isJSON

  /// Checks that the page can be written, before minutes of work.
  func checkPage() throws {
    guard let folder = page.map({ URL(filePath: $0).deletingLastPathComponent().path }) else {
      return
    }
    guard FileManager.default.isWritableFile(atPath: folder.isEmpty ? "." : folder) else {
      throw CommandFailure(
        .cannotCreate,
        "The folder “\(folder)” cannot be written to. Choose another place for --html.")
    }
  }

  /// Writes the report in the forms that were asked for.
  func write(
    _ report: some Encodable & Sendable, text: String, page content: @Sendable () -> String,
    on terminal: Terminal
  ) async throws {
    await terminal.showStatus("")
    if let page { try await TextOutput().write(content(), to: URL(filePath: page)) }
    try await terminal.write(text, json: report, isJSON: isJSON)
  }
}

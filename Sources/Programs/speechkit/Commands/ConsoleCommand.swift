#if Cloud
import SpeechActions
import SpeechCloud
import SpeechCommand
import SpeechConsole
import SpeechDesktop
import SpeechKit

struct ConsoleCommand: Command {
  static let about = CommandDeclaration(
    name: "console",
    summary: "Configure actions and connectors in the browser",
    discussion: """
      Serves a page on this machine only, and prints a link to it. The link works once: the first
      browser that opens it has access, and no other. The page is served until Ctrl-C.

      The page shows recent runs, edits actions with a preview of the prompt, edits and tests
      connectors, guides you through the setup, and runs actions. It uses the same configuration
      file as the other commands; keys are stored as by `speechkit credentials set`.
      """,
    examples: [
      "speechkit console --open": "Open the page in the browser",
      "speechkit console --port 8123": "Serve it on a fixed port",
    ],
    exits: [
      .unavailable: "The port is in use, or there is no such voice.",
      .cannotCreate: "The file with the link for the browser cannot be written.",
    ])

  @Option(
    "--port", as: .count("NUMBER", in: 1...65_535), help: "The port; any free one unless given.")
  var port: Int?
  @Flag("--open", help: "Open the page in the browser.") var opens
  @Option("--voice", "-v", as: .voice(in: .current), help: "The voice that speaks answers.")
  var voiceName: BackendName?

  func run(on terminal: Terminal) async throws {
    let voice = try await AnyVoice(voiceName ?? .defaultVoice, in: .current)
    let services = ConsoleServices(
      configuration: try FileConfigurationStore(), credentials: .shared,
      runner: ActionRunner.user, test: ConnectorTest()
    ) { @MainActor pieces in
      let speaker = voice.sentences(output: PortAudioSpeaker())
      var plain = PlainSpeech()
      for await piece in pieces { speaker.add(plain.add(piece)) }
      try await speaker.finish()
    }
    let console = try CommandFailure.reporting(.unavailable) {
      try Console(services, port: port ?? 0)
    }
    defer { console.stop() }
    try await terminal.writeLine(console.url.absoluteString)
    await terminal.note(
      "Open this link in your browser; it works once. Ctrl-C ends the console.")
    let page = try opens ? LinkFile(to: console.url) : nil
    if let page, await !page.open() {
      await terminal.note("No browser could be opened (xdg-open). Open the link yourself.")
    }
    defer { page?.remove() }
    while true { try await Task.sleep(for: .seconds(86_400)) }
  }
}

/// A page that redirects to an address, readable by the user only. An address among the arguments
/// of a program would be visible to all users of the machine.
private struct LinkFile {
  private let file: URL

  init(to address: URL) throws {
    let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? ""
    let folder =
      access(runtime, W_OK) == 0
      ? URL(filePath: runtime) : FileManager.default.temporaryDirectory
    file = folder.appending(path: "speechkit-console-\(UUID().uuidString).html")
    let page = """
      <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>SpeechKit</title>
      <meta http-equiv="refresh" content="0;url=\(address.absoluteString)">
      <p><a href="\(address.absoluteString)">Open the console</a></p></html>

      """
    // Created with its permissions, so that no other user can ever read it.
    let descriptor = Glibc.open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .cannotCreate, "“\(file.path)” cannot be written: \(String(cString: strerror(errno))).")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: Data(page.utf8))
  }

  /// Opens the page in the browser. Returns false if there is none.
  func open() async -> Bool {
    var opener = ProgramRun("/usr/bin/env", ["xdg-open", file.path])
    opener.timeout = nil
    // The browser writes messages, and outlives the program that opens it.
    opener.connections = .none
    return (try? await opener.run().status) == 0
  }

  func remove() {
    try? FileManager.default.removeItem(at: file)
  }
}
#endif

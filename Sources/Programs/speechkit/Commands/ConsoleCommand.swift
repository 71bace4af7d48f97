import Foundation
import SpeechActions
import SpeechConsole
import SpeechKit

/// `speechkit console`: serves the page on which actions and connectors are configured.
struct ConsoleCommand: Command {
  static let declaration = CommandDeclaration(
    name: "console",
    summary: "Configure actions and connectors in the browser",
    discussion: [
      "Serves a page on this machine only, and prints the link to it. The link leads in once: whoever opens it "
        + "first gets in, and nobody else does. The page is there until Ctrl-C.",
      "On the page: what was run lately, actions with a preview of what the model is asked, connectors with a "
        + "test, a guided set-up, and a sheet on which actions are run. What is configured there is in the file "
        + "that the other commands use; keys go where `speechkit credentials set` keeps them.",
    ],
    options: [port.declaration, open.declaration, BackendOptions.voice.declaration],
    examples: [
      .init("speechkit console --open", "Open the page in the browser"),
      .init("speechkit console --port 8123", "Serve it where it can be found again"),
    ],
    exits: [
      (.unavailable, "The port is in use, or there is no voice of that name."),
      (.cannotCreate, "The file with the link for the browser cannot be written."),
    ])

  static let port = ValueOption<Int>(
    "port", value: "NUMBER", help: "The port; any that is free unless given."
  ) { text throws(UsageError) in
    guard let number = Int(text), (1...65_535).contains(number) else {
      throw UsageError("--port takes a number from 1 to 65535, not “\(text)”")
    }
    return number
  }
  static let open = Flag("open", help: "Open the page in the browser.")

  private let port: Int
  private let opens: Bool
  private let voice: BackendName

  init(_ arguments: ParsedArguments) throws {
    port = arguments[Self.port] ?? 0
    opens = arguments[Self.open]
    voice = arguments[BackendOptions.voice] ?? .defaultVoice
  }

  func run(on terminal: Terminal) async throws {
    let voice = try await AnyVoice(voice)
    let services = ConsoleServices(
      configuration: try FileConfigurationStore(), credentials: .shared,
      runner: ActionRunner.user, test: ConnectorTest()
    ) { @MainActor pieces in
      let speaker = voice.sentences(output: PortAudioSpeaker())
      var plain = PlainSpeech()
      for await piece in pieces { speaker.add(plain.add(piece)) }
      try await speaker.finish()
    }
    let console: Console
    do {
      console = try Console(services, port: port)
    } catch {
      throw CommandFailure(.unavailable, error.localizedDescription)
    }
    defer { console.stop() }
    try await terminal.writeLine(console.url.absoluteString)
    await terminal.note(
      "Open this link in your browser; it leads in once. Ctrl-C ends the console.")
    let page = try opens ? LinkFile(to: console.url) : nil
    if let page, !page.open() {
      await terminal.note("No program opens pages here (xdg-open). Open the link yourself.")
    }
    defer { page?.remove() }
    while true { try await Task.sleep(for: .seconds(86_400)) }
  }
}

/// A page that only the user may read and that leads to an address: a program that is started with the address
/// itself would show it to all users of the machine.
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
    // Never readable by others, not even before it is complete.
    let descriptor = Glibc.open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .cannotCreate, "“\(file.path)” cannot be written: \(String(cString: strerror(errno))).")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: Data(page.utf8))
  }

  /// Whether there is a program that opens pages.
  func open() -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["xdg-open", file.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  func remove() {
    try? FileManager.default.removeItem(at: file)
  }
}

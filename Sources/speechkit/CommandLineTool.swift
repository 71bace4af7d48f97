import Foundation
import SpeechKit

/// The program: finds the command that is meant, runs it, and ends with what it came to.
@main
struct CommandLineTool {
  static let version = ToolkitVersion.current

  static let commands: [any Command.Type] = [
    DemoCommand.self, SayCommand.self, VoicesCommand.self, ListenCommand.self,
    TranscribeCommand.self, DevicesCommand.self, DoctorCommand.self, CompletionCommand.self,
    VersionCommand.self,
  ]

  static var declarations: [CommandDeclaration] { commands.map { $0.declaration } }

  @MainActor
  static func main() async {
    // A closed pipe and a file size limit are errors of the write, not reasons to die.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let signals = StopSignals()
    let terminal = Terminal()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let work = Task { @MainActor in try await run(arguments, on: terminal) }
    signals.handle { work.cancel() }
    let result = await work.result
    await terminal.showStatus("")
    exit(await status(of: result, signals, terminal).rawValue)
  }

  @MainActor
  private static func run(_ arguments: [String], on terminal: Terminal) async throws {
    switch try CommandLineRequest(arguments, among: commands) {
    case .help(let text): try await terminal.write(text)
    case .run(let command):
      do {
        try await command.run(on: terminal)
      } catch let error as UsageError {
        throw UsageError(error.message, command: type(of: command).declaration.name)
      }
    }
  }

  @MainActor
  private static func status(
    of result: Result<Void, any Error>, _ signals: StopSignals, _ terminal: Terminal
  ) async -> ExitStatus {
    if let status = signals.status { return status }
    guard case .failure(let error) = result else { return .success }
    // `localizedDescription` would invent a text for an error that deliberately has none.
    let message =
      if let described = error as? any LocalizedError {
        described.errorDescription
      } else {
        error.localizedDescription
      }
    if let message { await terminal.note("speechkit: \(message)") }
    return ExitStatus(error)
  }
}

/// What a command line asks for.
enum CommandLineRequest {
  case help(String)
  case run(any Command)

  /// - Throws: `UsageError`.
  init(_ arguments: [String], among commands: [any Command.Type]) throws {
    guard let first = arguments.first else {
      throw UsageError("No command was given.")
    }
    let rest = Array(arguments.dropFirst())
    switch first {
    case "--help", "-h", "help":
      guard first == "help", let name = rest.first, !name.hasPrefix("-") else {
        self = .help(HelpText.ofProgram(commands.map { $0.declaration }))
        return
      }
      self = .help(HelpText.of(try Self.find(name, among: commands).declaration))
    case "--version":
      self = .run(try VersionCommand(ParsedArguments()))
    default:
      let type = try Self.find(first, among: commands)
      let parsed = try ArgumentParser.parse(rest, for: type.declaration)
      guard !parsed[CommandDeclaration.help] else {
        self = .help(HelpText.of(type.declaration))
        return
      }
      do {
        self = .run(try type.init(parsed))
      } catch let error as UsageError {
        throw UsageError(error.message, command: error.command ?? type.declaration.name)
      }
    }
  }

  private static func find(
    _ name: String, among commands: [any Command.Type]
  ) throws -> any Command.Type {
    if let found = commands.first(where: { $0.declaration.name == name }) { return found }
    if name.hasPrefix("-") { throw UsageError("There is no option \(name) before a command.") }
    let names = commands.map { $0.declaration.name }
    let nearest = NearestName.of(name, among: names).map { " Did you mean “\($0)”?" } ?? ""
    throw UsageError("There is no command “\(name)”.\(nearest)")
  }
}

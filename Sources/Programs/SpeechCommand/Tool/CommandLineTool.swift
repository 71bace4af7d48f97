import Foundation
import SpeechPortAudio

/// Runs the command that the command line names, and exits with its status.
package enum CommandLineTool {
  /// Runs one of the commands, with the arguments that are read.
  @MainActor
  package static func run(
    _ commands: [CommandNode],
    arguments: @escaping @Sendable () throws -> [String] = { try GivenArguments.read() }
  ) async -> Never {
    StandardDescriptors.openClosed()
    // Writing to a closed pipe or beyond a file size limit is to fail with an error, not to end the
    // program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    guard OpenFileLimit.isEnough else {
      OpenFileLimit.complain()
      exit(ExitStatus.unavailable.rawValue)
    }
    guard MemoryLimit.isEnough else {
      MemoryLimit.complain()
      exit(ExitStatus.systemError.rawValue)
    }
    AudioDevices.hideLibraryMessages()
    let signals = StopSignals()
    let terminal = Terminal()
    let work = Task { @MainActor in try await run(try arguments(), among: commands, on: terminal) }
    signals.handle { work.cancel() }
    let result = await work.result
    await terminal.showStatus("")
    exit(await status(of: result, signals, terminal).rawValue)
  }

  @MainActor
  private static func run(
    _ arguments: [String], among commands: [CommandNode], on terminal: Terminal
  ) async throws {
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
    // `localizedDescription` would add a text to an error that deliberately has none.
    let message =
      if let described = error as? any LocalizedError {
        described.errorDescription
      } else {
        error.localizedDescription
      }
    if let message { await terminal.noteFailure(message) }
    return ExitStatus(error)
  }
}

/// The request of a command line.
package enum CommandLineRequest {
  case help(String)
  case run(any Command)

  package init(_ arguments: [String], among commands: [CommandNode]) throws {
    guard let first = arguments.first else {
      throw UsageError("No command was given.")
    }
    let rest = arguments.dropFirst()
    switch first {
    case "--help", "-h", "help":
      let names = first == "help" ? rest.prefix { !$0.hasPrefix("-") } : []
      guard let name = names.first else {
        self = .help(HelpText.ofProgram(commands.map(\.declaration)))
        return
      }
      var node = try commands.find(name)
      for name in names.dropFirst() where !node.nodes.isEmpty {
        node = try node.nodes.find(name, after: node.declaration.name)
      }
      self = .help(HelpText.of(node.declaration))
    case "--version":
      self = .run(try VersionCommand(ParsedArguments()))
    default:
      try self.init(try commands.find(first), rest)
    }
  }

  private init(_ node: CommandNode, _ arguments: ArraySlice<String>) throws {
    let declaration = node.declaration
    switch node {
    case .command(let type):
      let parsed = try ArgumentParser.parse(arguments, for: declaration)
      guard !parsed.asksForHelp else {
        self = .help(HelpText.of(declaration))
        return
      }
      do {
        self = .run(try type.init(parsed))
      } catch let error as UsageError {
        throw UsageError(error.message, command: error.command ?? declaration.name)
      }
    case .group(_, let nodes):
      let isNamed = arguments.first.map {
        !$0.hasPrefix("-") || CommandDeclaration.help.spellings.contains($0)
      }
      if let word = declaration.defaultCommand, isNamed != true {
        try self.init(try nodes.find(word), arguments)
        return
      }
      guard let first = arguments.first else {
        let words = nodes.map { $0.declaration.word }.joined(separator: ", ")
        throw UsageError(
          "“\(declaration.name)” needs one of these commands: \(words).",
          command: declaration.name)
      }
      guard !CommandDeclaration.help.spellings.contains(first) else {
        self = .help(HelpText.of(declaration))
        return
      }
      try self.init(try nodes.find(first, after: declaration.name), arguments.dropFirst())
    }
  }
}

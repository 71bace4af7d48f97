#if Cloud
import Foundation
import SpeechActions
import SpeechCommand
import SpeechDesktop
import SpeechFiles

/// Opens text in the user's editor.
struct EntryEditor {
  private let environment: [String: String]

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  /// Has the user edit a text.
  ///
  /// - Parameter read: Reads the edited text.
  /// - Returns: The result of `read`; `nil` if the text was not changed.
  /// - Throws: The errors of `read`, after keeping the edited text in a file and reporting its
  ///   path; `CommandFailure`.
  @MainActor func edit<Result>(
    _ text: String, named name: String, on terminal: Terminal, read: (String) async throws -> Result
  ) async throws -> Result? {
    let file = try Self.privateFile(name)
    do {
      try Data(text.utf8).write(to: file)
      try await open(file)
      let changed = try await TextInput().read(path: file.path)
      guard changed != text else {
        Self.remove(file)
        return nil
      }
      let result = try await read(changed)
      Self.remove(file)
      return result
    } catch let error as ActionError {
      await terminal.note("Your text was kept in \(file.path).")
      throw error
    } catch {
      Self.remove(file)
      throw error
    }
  }

  /// Has the user edit an entry, puts it into the configuration with `change`, which returns the
  /// entry's id, and saves it.
  @MainActor static func edit(
    _ kind: String, _ id: String, as text: String, in snapshot: ConfigurationSnapshot,
    of store: FileConfigurationStore, on terminal: Terminal,
    change: (String, inout ActionConfiguration) throws -> String
  ) async throws {
    let edited = try await EntryEditor().edit(text, named: id, on: terminal) { text in
      var configuration = snapshot.configuration
      let id = try change(text, &configuration)
      try await store.save(configuration, basedOn: snapshot)
      return id
    }
    await terminal.note(edited.map { "Changed the \(kind) “\($0)”." } ?? "Nothing was changed.")
  }

  /// - Throws: `CommandFailure` if there is no editor, or if it fails.
  private func open(_ file: URL) async throws {
    let named = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
    // The variable may contain options of the program.
    let words = (named ?? "").split(separator: " ").map(String.init)
    let choices = named == nil ? ["sensible-editor", "nano", "vi"] : [words.first ?? ""]
    guard let path = choices.lazy.compactMap({ ProcessStart.path(of: $0, environment) }).first
    else {
      throw CommandFailure(
        .unavailable,
        named == nil
          ? "There is no editor. Set $EDITOR, or pass options."
          : "The editor “\(named ?? "")” was not found. Set $EDITOR, or pass options.")
    }
    var run = ProgramRun(path, Array(words.dropFirst()) + [file.path], environment: environment)
    run.connections = .shared
    run.timeout = nil
    let status = try await run.run().status
    guard status == 0 else {
      throw CommandFailure(
        .unavailable, "The editor failed with status \(status), so nothing was changed.")
    }
  }

  /// A file in a folder that only the user can read.
  private static func privateFile(_ name: String) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "speechkit-\(UUID().uuidString)", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(.cannotCreate, "“\(folder.path)” cannot be created. Check its folder.")
    }
    return folder.appending(path: "\(name).toml")
  }

  private static func remove(_ file: URL) {
    try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
  }
}

/// One action or connector in the format of the configuration file, for the user to view and edit.
enum EntryText {
  static func text(of action: TextAction) throws -> String {
    // Connectors precede actions, and these contain nothing that could look like the action's
    // heading.
    let named = Set(action.routing.connectors).sorted()
    return try entry(
      "action.\(action.id)",
      in: ActionConfiguration(
        actions: ActionLibrary([action]),
        connectors: named.map { Connector(id: $0, kind: .onDevice) }))
  }

  static func text(of connector: Connector) throws -> String {
    try entry(
      "connector.\(connector.id)",
      in: ActionConfiguration(actions: ActionLibrary(), connectors: [connector]))
  }

  /// Reads an action that may name these connectors. Errors have the lines of the text.
  static func action(in text: String, connectors: [Connector]) throws -> TextAction {
    let others = connectors.map { "\n[connector.\($0.id)]\nkind = \"on-device\"\n" }.joined()
    // A configuration without actions has the built-in ones.
    let actions = try configuration(in: text, others).actions.all
    guard actions.count == 1, text.contains("[action."), let action = actions.first else {
      throw ActionError.invalidName("The text must contain one [action.NAME] and nothing else.")
    }
    return action
  }

  /// Reads a connector. Errors have the lines of the text.
  static func connector(in text: String) throws -> Connector {
    let connectors = try configuration(in: text).connectors
    guard connectors.count == 1, let connector = connectors.first else {
      throw ActionError.invalidName("The text must contain one [connector.NAME] and nothing else.")
    }
    return connector
  }

  private static func entry(_ path: String, in configuration: ActionConfiguration) throws -> String
  {
    let text = try ConfigurationText.text(of: configuration)
    guard let start = text.range(of: "\n[\(path)]\n") else { return text }
    return String(text[text.index(after: start.lowerBound)...])
  }

  private static func configuration(
    in text: String, _ others: String = ""
  ) throws(ActionError) -> ActionConfiguration {
    do throws(ActionError) {
      return try ConfigurationText.configuration(in: "version = 1\n" + text + others)
    } catch {
      guard case .configuration(let diagnostics) = error else { throw error }
      let last = text.split(separator: "\n", omittingEmptySubsequences: false).count
      throw .configuration(
        diagnostics.map { diagnostic in
          var diagnostic = diagnostic
          // Does not count the line that was prepended, nor lines that were appended.
          diagnostic.line = min(max(diagnostic.line - 1, 1), last)
          return diagnostic
        })
    }
  }
}
#endif

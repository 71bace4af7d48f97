import Foundation
import SpeechActions
import SpeechDesktop
import SpeechKit

/// Has a person change a text in the editor of their choice.
struct EntryEditor {
  private let environment: [String: String]

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  /// Shows the text until what comes back is read without a fault, or the person gives up.
  ///
  /// - Parameter read: makes something of the text.
  /// - Returns: what came of it; `nil` if the text was left as it is.
  /// - Throws: what `read` throws, with the changed text kept in a file that is told; `CommandFailure`.
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
      await terminal.note("What you wrote is kept in \(file.path).")
      throw error
    } catch {
      Self.remove(file)
      throw error
    }
  }

  /// - Throws: `CommandFailure` without an editor, or when it does not end well.
  private func open(_ file: URL) async throws {
    let named = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
    // As people set it: a program with its options.
    let words = (named ?? "").split(separator: " ").map(String.init)
    let choices = named == nil ? ["sensible-editor", "nano", "vi"] : [words.first ?? ""]
    guard let path = choices.lazy.compactMap({ ProgramRun.path(of: $0, environment) }).first
    else {
      throw CommandFailure(
        .unavailable,
        named == nil
          ? "There is no editor. Set $EDITOR, or pass options."
          : "The editor “\(named ?? "")” cannot be found. Set $EDITOR, or pass options.")
    }
    var run = ProgramRun(path, Array(words.dropFirst()) + [file.path], environment: environment)
    run.connections = .shared
    run.timeout = nil
    let status = try await run.run().status
    guard status == 0 else {
      throw CommandFailure(.unavailable, "The editor ended with \(status); nothing was changed.")
    }
  }

  /// In a folder that only the user may look into.
  private static func privateFile(_ name: String) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "speechkit-\(UUID().uuidString)", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(.cannotCreate, "“\(folder.path)” cannot be made.")
    }
    return folder.appending(path: "\(name).toml")
  }

  private static func remove(_ file: URL) {
    try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
  }
}

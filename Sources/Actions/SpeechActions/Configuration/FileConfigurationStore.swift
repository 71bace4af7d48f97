import Foundation
import SpeechConcurrency
import SpeechFiles

/// A configuration in a file that users edit as well: `speechkit/actions.toml` in
/// `$XDG_CONFIG_HOME`, which is `~/.config` unless set.
///
/// A change replaces the file atomically, under a lock that all programs share, so that a program
/// that is killed leaves the old file or the new one. Comments stay where they are. If the file is
/// a symbolic link, the file that it leads to is replaced.
///
/// A change is never written over a state that its author has not seen. Where the configuration
/// changed in the meantime, `ActionError.conflict` is thrown and nothing is written.
///
/// ```swift
/// let store = try FileConfigurationStore()
/// try await store.update { $0.connectors.append(Connector(id: "local", kind: .onDevice)) }
/// ```
public actor FileConfigurationStore {
  private static let lockName = ".actions.lock"

  /// The file of the configuration.
  public nonisolated let file: URL
  private let executor = SerialQueueExecutor(label: "speechkit.configuration")

  /// A queue of its own, because file operations block.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a store for the file of the user.
  ///
  /// - Throws: `ActionError.storage` for a user without a home folder.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(ActionError) {
    guard let home = BaseFolder.configuration.path(environment) else {
      throw .storage(
        "There is no home folder for the configuration. Set HOME or XDG_CONFIG_HOME.")
    }
    self.init(file: URL(filePath: home).appending(path: "speechkit/actions.toml"))
  }

  /// Creates a store for a file, which is created by the first change.
  public init(file: URL) {
    self.file = file
  }

  /// Returns the current configuration; the built-in one if there is no file.
  ///
  /// - Throws: `ActionError.configuration` with all errors of the file; `storage`.
  public func load() throws -> ConfigurationSnapshot {
    try Self.snapshot(of: shared.read())
  }

  /// Returns the current text of the file, whatever errors it has; empty if there is none.
  ///
  /// - Throws: `ActionError.configuration` for a file that is not text; `storage`.
  public func text() throws -> String {
    try Self.text(of: shared.read())
  }

  /// Changes the current configuration.
  ///
  /// - Parameter change: Receives the current configuration and changes it. May be called more than
  ///   once.
  /// - Throws: `ActionError.configuration` when the changed configuration is not valid; `storage`;
  ///   the errors of `change`.
  @discardableResult
  public func update(
    _ change: @Sendable (inout ActionConfiguration) throws -> Void
  ) async throws -> ConfigurationSnapshot {
    try await write { present in
      var configuration = present.configuration
      try change(&configuration)
      return configuration
    }
  }

  /// Stores a configuration that was made from an earlier state.
  ///
  /// - Throws: `ActionError.conflict` if the file has changed since; the errors of `update`.
  @discardableResult
  public func save(
    _ configuration: ActionConfiguration, basedOn snapshot: ConfigurationSnapshot
  ) async throws -> ConfigurationSnapshot {
    try await write { [file] present in
      guard present.text == snapshot.text else { throw ActionError.conflict(file.path) }
      return configuration
    }
  }

  /// Stores a text that was edited as a whole.
  ///
  /// - Throws: `ActionError.conflict` if the file is not the old text; the errors of `update`.
  @discardableResult
  public func replaceText(
    _ text: String, inPlaceOf old: String
  ) async throws -> ConfigurationSnapshot {
    let new = try Self.snapshot(of: Data(text.utf8))
    return try await shared.change { [file] data in
      guard String(decoding: data ?? Data(), as: UTF8.self) == old else {
        throw ActionError.conflict(file.path)
      }
      return (new, Data(text.utf8))
    }
  }

  /// Reports every later state of the file, including invalid ones, whichever program wrote it. The
  /// stream ends with the reader's task.
  public nonisolated func changes() -> AsyncStream<Result<ConfigurationSnapshot, ActionError>> {
    FileWatch.states(of: file) { [self] in
      do {
        return .success(try await load())
      } catch {
        return .failure(error as? ActionError ?? .storage(error.localizedDescription))
      }
    }
  }

  // Computed, because a symbolic link may lead to another file each time.
  private var shared: SharedFile { SharedFile(file, lockName: Self.lockName) }

  private func write(
    _ body: @Sendable (ConfigurationSnapshot) throws -> ActionConfiguration
  ) async throws -> ConfigurationSnapshot {
    try await shared.change { data in
      let present = try Self.snapshot(of: data)
      let text = ConfigurationText.edited(
        present.text, from: present.configuration, to: try body(present))
      let new = try Self.snapshot(of: Data(text.utf8))
      return (new, text.isEmpty ? nil : Data(text.utf8))
    }
  }

  private static func snapshot(of data: Data?) throws -> ConfigurationSnapshot {
    let text = try Self.text(of: data)
    guard !text.isEmpty else {
      return ConfigurationSnapshot(configuration: ActionConfiguration(), text: "")
    }
    return ConfigurationSnapshot(
      configuration: try ConfigurationDecoder.configuration(in: text), text: text)
  }

  private static func text(of data: Data?) throws(ActionError) -> String {
    guard let data, !data.isEmpty else { return "" }
    guard let text = String(data: data, encoding: .utf8) else {
      // Names the line of the first invalid byte, so that the user can find it.
      let valid = String(decoding: data, as: UTF8.self)
      let line =
        1 + (valid.components(separatedBy: "\u{FFFD}").first ?? "").filter(\.isNewline).count
      throw ActionError.configuration([
        ConfigurationDiagnostic(
          line: line, column: 1, path: "",
          message: "The file is not encoded in UTF-8. Save it as UTF-8.")
      ])
    }
    return text
  }
}

import Foundation
import SpeechConcurrency
import SpeechFiles

/// Keeps the configuration in a file that people edit as well: `speechkit/actions.toml` in
/// `$XDG_CONFIG_HOME`, which is `~/.config` unless set.
///
/// A change replaces the file in one step, under a lock that all programs share: whoever is killed leaves the
/// old or the new. What an editor wrote meanwhile is read first and kept. Comments stay where they are. Where
/// the file is a link, it is the file that the link leads to which is replaced.
///
/// ```swift
/// let store = FileConfigurationStore()
/// try await store.update { $0.connectors.append(Connector(id: "local", kind: .onDevice)) }
/// ```
public actor FileConfigurationStore: ConfigurationStore {
  private static let lockName = ".actions.lock"

  /// The file.
  public nonisolated let file: URL
  private let migrations: [ConfigurationMigration]
  private let executor = SerialQueueExecutor(label: "speechkit.configuration")

  /// Files make wait, hence not on the threads that all tasks share.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The file of the user.
  ///
  /// - Throws: `ActionError.storage` for a user without a home.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(ActionError) {
    guard let home = BaseFolder.configuration.path(environment) else {
      throw .storage(
        "There is no home folder to keep the configuration in. Set HOME or XDG_CONFIG_HOME.")
    }
    self.init(file: URL(filePath: home).appending(path: "speechkit/actions.toml"))
  }

  /// A file at that place, which is made when something is stored.
  public init(file: URL) {
    self.init(file: file, migrations: ConfigurationMigration.standard)
  }

  init(file: URL, migrations: [ConfigurationMigration]) {
    self.file = file
    self.migrations = migrations
  }

  /// The configuration as it is now; the ready-made one where there is no file.
  public func load() throws -> ConfigurationSnapshot {
    try snapshot(of: shared.read())
  }

  /// The text of the file as it is now, whatever faults it has; empty if there is none.
  public func text() throws -> String {
    try Self.text(of: shared.read())
  }

  /// Changes the configuration as it is now.
  @discardableResult
  public func update(
    _ change: @Sendable (inout ActionConfiguration) throws -> Void
  ) async throws -> ConfigurationSnapshot {
    try await write { present in
      var wanted = present.configuration
      try change(&wanted)
      return FlatConfiguration(wanted)
    }
  }

  /// Stores what somebody made of an earlier state, together with what others changed since.
  @discardableResult
  public func save(
    _ configuration: ActionConfiguration, basedOn snapshot: ConfigurationSnapshot
  ) async throws -> ConfigurationSnapshot {
    try await write { present in
      try ConfigurationMerge.merged(
        base: FlatConfiguration(snapshot.configuration), mine: FlatConfiguration(configuration),
        theirs: FlatConfiguration(present.configuration))
    }
  }

  /// Stores a text that somebody edited as a whole, unless the file is not that old one any more.
  @discardableResult
  public func replaceText(
    _ text: String, inPlaceOf old: String
  ) async throws -> ConfigurationSnapshot {
    let new = try self.snapshot(of: Data(text.utf8))
    return try await shared.change { data in
      guard String(decoding: data ?? Data(), as: UTF8.self) == old else {
        throw ActionError.conflict(["the file"])
      }
      return (new, Data(text.utf8))
    }
  }

  /// Every later state of the file, whoever made it.
  public nonisolated func changes() -> AsyncStream<Result<ConfigurationSnapshot, ActionError>> {
    FileWatch.states(of: file) { [self] in
      do {
        return .success(try await load())
      } catch {
        return .failure(error as? ActionError ?? .storage(error.localizedDescription))
      }
    }
  }

  // Anew each time: a link may lead elsewhere by then.
  private var shared: SharedFile { SharedFile(file, lockName: Self.lockName) }

  private func write(
    _ body: @Sendable (ConfigurationSnapshot) throws -> FlatConfiguration
  ) async throws -> ConfigurationSnapshot {
    let migrations = migrations
    return try await shared.change { data in
      let present = try Self.snapshot(of: data, migrations)
      let text = ConfigurationText.edited(
        try ConfigurationMigration.migrated(present.text, by: migrations),
        from: FlatConfiguration(present.configuration), to: try body(present))
      let new = try Self.snapshot(of: Data(text.utf8), migrations)
      return (new, text.isEmpty ? nil : Data(text.utf8))
    }
  }

  private func snapshot(of data: Data?) throws -> ConfigurationSnapshot {
    try Self.snapshot(of: data, migrations)
  }

  private static func snapshot(
    of data: Data?, _ migrations: [ConfigurationMigration]
  ) throws -> ConfigurationSnapshot {
    let text = try Self.text(of: data)
    guard !text.isEmpty else {
      return ConfigurationSnapshot(configuration: ActionConfiguration(), text: "")
    }
    let migrated = try ConfigurationMigration.migrated(text, by: migrations)
    return ConfigurationSnapshot(
      configuration: try ConfigurationDecoder.configuration(in: migrated), text: text)
  }

  private static func text(of data: Data?) throws(ActionError) -> String {
    guard let data, !data.isEmpty else { return "" }
    guard let text = String(data: data, encoding: .utf8) else {
      // Whoever edits it has to find the place.
      let valid = String(decoding: data, as: UTF8.self)
      let line =
        1 + (valid.components(separatedBy: "\u{FFFD}").first ?? "").filter(\.isNewline).count
      throw ActionError.configuration([
        ConfigurationFault(
          line: line, column: 1, path: "", message: "The file is not in UTF-8. Save it as UTF-8.")
      ])
    }
    return text
  }
}

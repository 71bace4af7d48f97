/// The place where the configuration is kept.
///
/// Laws: a change happens wholly or not at all; no change is ever lost: what others changed meanwhile is
/// kept, and where both changed the same, `ActionError.conflict` is thrown and nothing is written.
public protocol ConfigurationStore: Sendable {
  /// The configuration as it is now.
  ///
  /// - Throws: `ActionError.configuration` with all faults of the file; `storage`.
  func load() async throws -> ConfigurationSnapshot

  /// The text of the file as it is now, whatever faults it has; empty if there is none.
  ///
  /// - Throws: `ActionError.configuration` for what is no text; `storage`.
  func text() async throws -> String

  /// Changes the configuration as it is now.
  ///
  /// - Parameter change: gets what is configured now and changes it. May be called more than once.
  /// - Throws: `ActionError.configuration` when what came of it has faults; `storage`; what `change` throws.
  @discardableResult
  func update(
    _ change: @Sendable (inout ActionConfiguration) throws -> Void
  ) async throws -> ConfigurationSnapshot

  /// Stores what somebody made of an earlier state, together with what others changed since.
  ///
  /// - Throws: `ActionError.conflict` when others changed the same; as `update` does.
  @discardableResult
  func save(
    _ configuration: ActionConfiguration, basedOn snapshot: ConfigurationSnapshot
  ) async throws -> ConfigurationSnapshot

  /// Stores a text that somebody edited as a whole, unless the file is not that old one any more.
  ///
  /// - Throws: `ActionError.conflict`; as `update` does.
  @discardableResult
  func replaceText(_ text: String, inPlaceOf old: String) async throws -> ConfigurationSnapshot

  /// Every later state, also one with faults, whoever made it. The stream ends with the reader's task.
  func changes() -> AsyncStream<Result<ConfigurationSnapshot, ActionError>>
}

extension ConfigurationStore {
  /// Stores a text that somebody edited as a whole, unless the file changed since.
  ///
  /// - Throws: `ActionError.conflict`; as `update` does.
  @discardableResult
  public func replaceText(
    _ text: String, basedOn snapshot: ConfigurationSnapshot
  ) async throws -> ConfigurationSnapshot {
    try await replaceText(text, inPlaceOf: snapshot.text)
  }
}

/// The place where the configuration is kept.
///
/// Laws: a change is written completely or not at all, and never over a state that its author has
/// not seen. Where the configuration changed in the meantime, `ActionError.conflict` is thrown and
/// nothing is written.
public protocol ConfigurationStore: Sendable {
  /// Returns the current configuration.
  ///
  /// - Throws: `ActionError.configuration` with all errors of the file; `storage`.
  func load() async throws -> ConfigurationSnapshot

  /// Returns the current text of the file, whatever errors it has; empty if there is none.
  ///
  /// - Throws: `ActionError.configuration` for a file that is not text; `storage`.
  func text() async throws -> String

  /// Changes the current configuration.
  ///
  /// - Parameter change: receives the current configuration and changes it. May be called more than
  ///   once.
  /// - Throws: `ActionError.configuration` when the changed configuration is not valid; `storage`;
  ///   the errors of `change`.
  @discardableResult
  func update(
    _ change: @Sendable (inout ActionConfiguration) throws -> Void
  ) async throws -> ConfigurationSnapshot

  /// Stores a configuration that was made from an earlier state.
  ///
  /// - Throws: `ActionError.conflict` when that state is not the current one; the errors of
  ///   `update`.
  @discardableResult
  func save(
    _ configuration: ActionConfiguration, basedOn snapshot: ConfigurationSnapshot
  ) async throws -> ConfigurationSnapshot

  /// Stores a text that was edited as a whole.
  ///
  /// - Throws: `ActionError.conflict` when the file is not the old text; the errors of `update`.
  @discardableResult
  func replaceText(_ text: String, inPlaceOf old: String) async throws -> ConfigurationSnapshot

  /// Reports every later state, including invalid ones, whichever program wrote it. The stream ends
  /// with the reader's task.
  func changes() -> AsyncStream<Result<ConfigurationSnapshot, ActionError>>
}

import AIServices
import SpeechActions

/// The services that a console uses.
public struct ConsoleServices: Sendable {
  /// The store of actions and connectors.
  public var configuration: FileConfigurationStore
  /// The store of the connectors' keys.
  public var credentials: AICredentialManager
  /// The runner that runs actions.
  public var runner: ActionRunner
  /// The test that checks connectors.
  public var test: ConnectorTest
  /// Speaks a text that arrives in pieces, until it is complete or the task is cancelled; `nil` to
  /// disable speech.
  public var speak: (@Sendable (AsyncStream<String>) async throws -> Void)?

  /// Creates the services of a console.
  public init(
    configuration: FileConfigurationStore, credentials: AICredentialManager, runner: ActionRunner,
    test: ConnectorTest, speak: (@Sendable (AsyncStream<String>) async throws -> Void)? = nil
  ) {
    self.configuration = configuration
    self.credentials = credentials
    self.runner = runner
    self.test = test
    self.speak = speak
  }
}

import AIServices
import SpeechActions

/// What a console is a page for.
public struct ConsoleServices: Sendable {
  /// Where actions and connectors are kept.
  public var configuration: any ConfigurationStore
  /// Where keys are kept.
  public var credentials: AICredentialManager
  /// What runs actions.
  public var runner: ActionRunner
  /// What tries connectors.
  public var test: ConnectorTest
  /// Says a text aloud, of which more may still come, until it is said or the task is cancelled; `nil` where
  /// nothing can be said.
  public var speak: (@Sendable (AsyncStream<String>) async throws -> Void)?

  /// Services.
  public init(
    configuration: any ConfigurationStore, credentials: AICredentialManager, runner: ActionRunner,
    test: ConnectorTest, speak: (@Sendable (AsyncStream<String>) async throws -> Void)? = nil
  ) {
    self.configuration = configuration
    self.credentials = credentials
    self.runner = runner
    self.test = test
    self.speak = speak
  }
}

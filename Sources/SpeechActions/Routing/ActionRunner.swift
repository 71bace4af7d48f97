import AIServices

/// Runs actions, and keeps what runs have in common: connections, health, kept answers, what was spent.
///
/// ```swift
/// let runner = ActionRunner(spending: .user)
/// let run = runner.run(
///   .translate, on: ActionInput("Guten Tag", targetLanguage: "English"),
///   connectors: [Connector(id: "local", kind: .onDevice)])
/// print(await run.outcome().answer?.text ?? "")
/// ```
public actor ActionRunner {
  /// What was spent.
  public nonisolated let spending: SpendingLedger
  /// The kept answers.
  public nonisolated let cache: AnswerCache

  nonisolated let clock: ServiceClock
  private let credentials: AICredentialManager
  private let environment: ServiceEnvironment
  private var services: [String: ConnectorService] = [:]
  private var monitors: [String: ConnectorMonitor] = [:]

  /// A runner.
  ///
  /// - Parameters:
  ///   - credentials: where the connectors' keys are.
  ///   - environment: the way to servers, the time, and how long to wait before a request is sent again;
  ///     how often is each action's own matter.
  ///   - spending: what counts against spending caps; in memory unless given.
  public init(
    credentials: AICredentialManager = .shared, environment: ServiceEnvironment = .standard,
    spending: SpendingLedger = SpendingLedger(), cache: AnswerCache = AnswerCache()
  ) {
    self.credentials = credentials
    self.environment = environment
    self.spending = spending
    self.cache = cache
    clock = environment.clock
  }

  /// Runs an action.
  ///
  /// Begins at once, and never throws: a run that cannot begin is completed with an error.
  ///
  /// - Parameter connectors: all that are configured; the action's rule chooses among them.
  public nonisolated func run(
    _ action: TextAction, on input: ActionInput, connectors: [Connector]
  ) -> ActionRun {
    ActionRun(action, on: input, connectors: connectors, runner: self)
  }

  /// How a connector has been doing for this program.
  public func health(of connector: Connector) -> ConnectorHealth {
    var health = monitors[connector.id]?.health ?? ConnectorHealth()
    if let service = services[connector.id], service.connector == connector {
      health.state = service.state
    }
    return health
  }

  /// The connector as a service. One that was changed is made anew, and its earlier health is forgotten.
  func service(for connector: Connector) async throws -> ConnectorService {
    if let service = services[connector.id], service.connector == connector { return service }
    let service = try await ConnectorService(
      connector, credentials: credentials, environment: environment)
    // Another run may have made it meanwhile, and its gate is the one that counts.
    if let other = services[connector.id], other.connector == connector { return other }
    if services[connector.id] != nil { monitors[connector.id] = nil }
    services[connector.id] = service
    return service
  }

  func note(_ connector: Connector, _ change: @Sendable (inout ConnectorMonitor) -> Void) {
    change(&monitors[connector.id, default: ConnectorMonitor()])
  }
}

import AIServices

/// Runs actions, and keeps what runs have in common: connections, health, kept answers, what was spent.
///
/// ```swift
/// let runner = ActionRunner.user
/// let run = runner.run(
///   .translate, on: ActionInput("Guten Tag", targetLanguage: "English"),
///   connectors: [Connector(id: "local", kind: .onDevice)])
/// print(await run.outcome().answer?.text ?? "")
/// ```
public actor ActionRunner {
  /// What was spent.
  public nonisolated let spending: SpendingLedger
  /// How connectors have been doing.
  public nonisolated let records: ConnectorRecords
  /// The kept answers.
  public nonisolated let cache: AnswerCache

  nonisolated let clock: ServiceClock
  private let credentials: AICredentialManager
  private let environment: ServiceEnvironment
  private var services: [String: ConnectorService] = [:]

  /// A runner.
  ///
  /// - Parameters:
  ///   - credentials: where the connectors' keys are.
  ///   - environment: the way to servers, the time, and how long to wait before a request is sent again;
  ///     how often is each action's own matter.
  ///   - spending: what counts against spending caps; in memory unless given.
  ///   - records: how connectors have been doing; in memory unless given.
  public init(
    credentials: AICredentialManager = .shared, environment: ServiceEnvironment = .standard,
    spending: SpendingLedger = SpendingLedger(), records: ConnectorRecords = ConnectorRecords(),
    cache: AnswerCache = AnswerCache()
  ) {
    self.credentials = credentials
    self.environment = environment
    self.spending = spending
    self.records = records
    self.cache = cache
    clock = environment.clock
  }

  /// A runner of the user's programs: what was spent and how connectors have been doing is in the user's files.
  public static var user: ActionRunner { ActionRunner(spending: .user, records: .user) }

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

  /// How a connector has been doing.
  public func health(of connector: Connector) async -> ConnectorHealth {
    var health = await records.health(of: connector)
    if let service = services[connector.id], service.connector == connector {
      health.state = service.state
    }
    return health
  }

  /// The connector as a service. One that was changed is made anew.
  func service(for connector: Connector) async throws -> ConnectorService {
    if let service = services[connector.id], service.connector == connector { return service }
    let service = try await ConnectorService(
      connector, credentials: credentials, environment: environment)
    // Another run may have made it meanwhile, and its gate is the one that counts.
    if let other = services[connector.id], other.connector == connector { return other }
    services[connector.id] = service
    return service
  }

  nonisolated func note(
    _ connector: Connector, _ change: @escaping ConnectorRecords.Change
  ) async {
    await records.note(connector, change)
  }
}

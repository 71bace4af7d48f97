import AIServices

/// Runs actions, and owns the state that runs share: connections, health, cached answers and
/// spending.
///
/// ```swift
/// let runner = ActionRunner.user
/// let run = runner.run(
///   .translate, on: ActionInput("Guten Tag", targetLanguage: "English"),
///   connectors: [Connector(id: "local", kind: .onDevice)])
/// print(await run.outcome().answer?.text ?? "")
/// ```
public actor ActionRunner {
  /// The ledger of the actions' spending.
  public nonisolated let spending: SpendingLedger
  /// The records of the connectors' health.
  public nonisolated let records: ConnectorRecords
  /// The list of recent runs.
  public nonisolated let history: RunHistory
  /// The cache of recent answers.
  public nonisolated let cache: AnswerCache

  nonisolated let clock: ServiceClock
  private let credentials: AICredentialManager
  private let environment: ServiceEnvironment
  private var services: [String: ConnectorService] = [:]

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - credentials: The store of the connectors' keys.
  ///   - environment: The transport, the clock, and the delays between retries. Each action sets
  ///     the number of retries.
  ///   - spending: The ledger for spending caps; in memory unless given.
  ///   - records: The records of the connectors' health; in memory unless given.
  ///   - history: The recent runs; in memory unless given.
  ///   - cache: The cached answers; in memory unless given.
  public init(
    credentials: AICredentialManager = .shared, environment: ServiceEnvironment = .standard,
    spending: SpendingLedger = SpendingLedger(), records: ConnectorRecords = ConnectorRecords(),
    history: RunHistory = RunHistory(), cache: AnswerCache = AnswerCache()
  ) {
    self.credentials = credentials
    self.environment = environment
    self.spending = spending
    self.records = records
    self.history = history
    self.cache = cache
    clock = environment.clock
  }

  /// A runner for the user's programs, with spending, health, recent runs and cached answers in the
  /// user's files.
  public static var user: ActionRunner {
    ActionRunner(spending: .user, records: .user, history: .user, cache: .user)
  }

  /// Starts a run of an action.
  ///
  /// Never throws: a run that cannot start completes with an error.
  ///
  /// - Parameter connectors: All configured connectors, among which the action's rule chooses.
  public nonisolated func run(
    _ action: TextAction, on input: ActionInput, connectors: [Connector]
  ) -> ActionRun {
    ActionRun(action, on: input, connectors: connectors, runner: self)
  }

  /// Returns the health of a connector.
  public func health(of connector: Connector) async -> ConnectorHealth {
    var health = await records.health(of: connector)
    if let service = services[connector.id], service.connector == connector {
      health.state = service.state
    }
    return health
  }

  /// Returns the client of a connector. A connector that was changed gets a new client.
  func service(for connector: Connector) async throws -> ConnectorService {
    if let service = services[connector.id], service.connector == connector { return service }
    let service = try await ConnectorService(
      connector, credentials: credentials, environment: environment)
    // Another run may have created the client in the meantime, and its gate is the one in use.
    if let other = services[connector.id], other.connector == connector { return other }
    services[connector.id] = service
    return service
  }
}

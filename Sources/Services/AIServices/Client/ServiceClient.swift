import Foundation
import SpeechConcurrency

/// The client of a service: address, key, headers, queueing, retries, suspension, errors and usage.
///
/// Errors are `AIServiceError`, and `CancellationError` when the task was cancelled.
public final class ServiceClient: Sendable {
  /// The name of the service in messages.
  public let name: String
  /// The address and the options of the service.
  public let endpoint: ServiceEndpoint
  /// True if requests without a key are refused immediately.
  public var requiresKey: Bool { key.isRequired }

  private let key: ServiceKey
  private let environment: ServiceEnvironment
  private let permanentCodes: Set<String>
  private let prices: [String: ServicePrice]
  private let models: ModelTable?
  private let gate: RequestGate
  private let state: Guarded<State>

  private struct State {
    var breaker: CircuitBreaker
    var budget = RetryBudget(repetitions: 20)
    var health = ServiceHealth()
    var usage: [String: ServiceUsage] = [:]
    /// The secrets of the last request, in case a response repeats them.
    var secrets: [SecureString] = []
  }

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - permanentCodes: the service's error codes for a lack of credit.
  ///   - prices: prices by model, for cost estimates.
  public convenience init(
    name: String, endpoint: ServiceEndpoint, key: ServiceKey, environment: ServiceEnvironment,
    limits: ServiceLimits = ServiceLimits(), permanentCodes: Set<String> = [],
    prices: [String: ServicePrice] = [:]
  ) {
    self.init(
      name: name, endpoint: endpoint, key: key, environment: environment, limits: limits,
      permanentCodes: permanentCodes, prices: prices, models: nil)
  }

  /// Creates a client of a vendor that retires models.
  init(
    name: String, endpoint: ServiceEndpoint, key: ServiceKey, environment: ServiceEnvironment,
    limits: ServiceLimits = ServiceLimits(), permanentCodes: Set<String> = [],
    prices: [String: ServicePrice] = [:], models: ModelTable?
  ) {
    self.name = name
    self.endpoint = endpoint
    self.key = key
    self.environment = environment
    self.permanentCodes = permanentCodes
    self.prices = prices
    self.models = models
    gate = RequestGate(limits: limits, clock: environment.clock)
    state = Guarded(
      State(
        breaker: CircuitBreaker(
          threshold: limits.failuresBeforeSuspension, coolDown: limits.suspension)))
  }

  /// The health of the service as observed by this client.
  public var health: ServiceHealth {
    let now = environment.clock.now()
    return state.withLock { state in
      var health = state.health
      health.state = state.breaker.health(at: now)
      return health
    }
  }

  /// The usage of all requests, by model.
  public var usageByModel: [String: ServiceUsage] { state.withLock(\.usage) }

  /// The usage of all requests together.
  public var usage: ServiceUsage { usageByModel.values.reduce(ServiceUsage(), +) }

  /// The estimated cost of all requests with known prices; `nil` if there is none.
  public var estimatedCost: Double? {
    let costs = usageByModel.compactMap { model, usage in prices[model]?.cost(of: usage) }
    return costs.isEmpty ? nil : costs.reduce(0, +)
  }

  /// Adds to the recorded usage of a model.
  public func record(_ usage: ServiceUsage, model: String) {
    state.withLock { state in
      state.usage[model] = (state.usage[model] ?? ServiceUsage()) + usage
    }
  }

  /// Sends the call and returns when a successful response has begun.
  ///
  /// The call counts as active while its body is read.
  public func response(to call: ServiceCall) async throws -> HTTPResponse {
    try check(call)
    try await gate.enter()
    do {
      let response = try await admitted(call) { request, secrets in
        let response = try await environment.transport.send(request)
        guard (200..<300).contains(response.status) else {
          throw try await failure(response, of: call, hiding: secrets)
        }
        return response
      }
      let reader = BodyReader(response.body, client: self)
      return HTTPResponse(
        status: response.status, headers: response.headers,
        body: HTTPBody { try await reader.next() })
    } catch {
      gate.leave()
      throw error
    }
  }

  /// Opens a WebSocket at the address of the call, with the key and the headers of all requests.
  ///
  /// The call counts as active until the connection is open.
  ///
  /// - Parameter messageLimit: the maximum size of a message in bytes.
  package func socket(
    for call: ServiceCall, messageLimit: Int
  ) async throws -> any WebSocketConnection {
    try check(call)
    try await gate.enter()
    do {
      let socket = try await admitted(call) { request, secrets in
        do {
          return try await environment.sockets.open(
            WebSocketRequest(
              request.url, headers: request.headers, openTimeout: request.timeouts.connect * 2,
              messageLimit: messageLimit, pingInterval: .seconds(20)))
        } catch let refusal as WebSocketHandshakeError {
          throw failure(refusal, of: call, hiding: secrets)
        }
      }
      noteEnd()
      return socket
    } catch {
      gate.leave()
      throw error
    }
  }

  /// The text of a service for messages: short, on one line, and without the key.
  package func shown(_ text: String) -> String {
    Redaction.shown(text, hiding: state.withLock(\.secrets))
  }

  /// The clock of the service.
  package var clock: ServiceClock { environment.clock }

  /// Notes that an open connection failed, and returns the error for the caller.
  package func failure(of error: any Error) -> any Error {
    do { return try note(error).error } catch { return error }
  }

  /// Sends the call and returns the whole response.
  public func data(for call: ServiceCall) async throws -> (data: Data, headers: HTTPHeaders) {
    let response = try await response(to: call)
    return (try await response.body.collected(), response.headers)
  }

  /// Sends the call and decodes the JSON response.
  public func json<Answer: Decodable>(
    _ type: Answer.Type = Answer.self, for call: ServiceCall
  ) async throws -> Answer {
    try decode(type, from: try await data(for: call).data)
  }

  /// Decodes JSON from the service.
  ///
  /// - Throws: `AIServiceError.unexpectedResponseFormat`; the reported error if the data is one.
  public func decode<Answer: Decodable>(
    _ type: Answer.Type, from data: Data
  ) throws(AIServiceError) -> Answer {
    if let failure = reportedFailure(in: data) { throw failure }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw .unexpectedResponseFormat(
        "\(name) returned an undocumented response (\(Self.place(of: error))). "
          + "Check the address; it may belong to another service.")
    }
  }

  /// The error reported by a response with a successful status; `nil` if there is none.
  ///
  /// - Parameter status: the status of the response that it corresponds to.
  package func reportedFailure(in data: Data, status: Int = 200) -> AIServiceError? {
    // Skips parsing most responses: a quotation mark within a JSON string is escaped.
    guard ["\"error\"", "\"detail\""].contains(where: { data.range(of: Data($0.utf8)) != nil }),
      ServiceErrorBody(data) != nil
    else { return nil }
    return ServiceFailure(
      service: name, status: status, headers: HTTPHeaders(), body: data,
      hiding: state.withLock(\.secrets),
      permanentCodes: permanentCodes, date: environment.clock.date()
    ).error
  }

  /// The error for a response that stopped before its end marker.
  package var truncation: AIServiceError {
    ServiceFailure(.truncated, service: name).error
  }

  /// The error for a stream whose parts exceed a limit.
  func unreadable(_ failure: HTTPFailure) -> AIServiceError {
    .unexpectedResponseFormat("\(name): \(failure.localizedDescription)")
  }

  private func check(_ call: ServiceCall) throws {
    guard let model = call.model else { return }
    try models?.check(model, host: endpoint.host, date: environment.clock.date())
  }

  /// Sends a request when the service is not suspended, and again as the retry policy allows.
  private func admitted<Answer>(
    _ call: ServiceCall, send: (HTTPRequest, [SecureString]) async throws -> Answer
  ) async throws -> Answer {
    var attempt = 0
    var lastFailure: AIServiceError?
    while true {
      attempt += 1
      let started = environment.clock.now()
      if let wait = state.withLock({ $0.breaker.admit(at: started) }) {
        throw lastFailure ?? suspended(for: wait)
      }
      do {
        let request = try request(for: call, key: try await key.current(for: name))
        let secrets = request.headers.secrets
        state.withLock { $0.secrets = secrets }
        let answer = try await send(request, secrets)
        noteAnswer(latency: environment.clock.now() - started)
        return answer
      } catch {
        let failure = try note(error)
        guard let wait = wait(after: attempt, of: call, failure) else { throw failure.error }
        lastFailure = failure.error
        if case .rateLimitExceeded = failure.error { gate.close(for: wait) }
        try await environment.clock.sleep(wait)
      }
    }
  }

  private func failure(
    _ response: HTTPResponse, of call: ServiceCall, hiding secrets: [SecureString]
  ) async throws -> ServiceFailure {
    let body = try await response.body.collected(upTo: 64 << 10)
    return failure(
      status: response.status, headers: response.headers, body: body, of: call, hiding: secrets)
  }

  private func failure(
    _ refusal: WebSocketHandshakeError, of call: ServiceCall, hiding secrets: [SecureString]
  ) -> ServiceFailure {
    let body = Data(refusal.body.utf8)
    let isElsewhere = [200..<300, 404..<406].contains { $0.contains(refusal.status) }
    guard !isElsewhere || ServiceErrorBody(body) != nil else {
      return ServiceFailure(
        .unexpectedResponseFormat(
          "\(name) has no WebSocket at that address (HTTP \(refusal.status)). Check the address; "
            + "not every server of this kind transcribes live."))
    }
    var headers = HTTPHeaders()
    headers["Retry-After"] = refusal.retryAfter.map { String($0) }
    return failure(status: refusal.status, headers: headers, body: body, of: call, hiding: secrets)
  }

  private func failure(
    status: Int, headers: HTTPHeaders, body: Data, of call: ServiceCall,
    hiding secrets: [SecureString]
  ) -> ServiceFailure {
    var failure = ServiceFailure(
      service: name, status: status, headers: headers, body: body, hiding: secrets,
      permanentCodes: permanentCodes, date: environment.clock.date())
    if case .invalidRequest(let text) = failure.error, let model = call.model,
      let advice = models?.advice(on: model)
    {
      failure.error = .invalidRequest("\(text) \(advice)")
    }
    return failure
  }

  private func request(for call: ServiceCall, key: SecureString?) throws -> HTTPRequest {
    var headers = call.headers
    for (name, value) in endpoint.headers.sorted(by: { $0.key < $1.key }) where headers[name] == nil
    {
      headers.append(name, value)
    }
    if let key {
      switch endpoint.authentication {
      case .none: break
      case .bearer: headers.setSecret("Authorization", key, prefix: "Bearer ")
      case .header(let name): headers.setSecret(name, key)
      }
    }
    return HTTPRequest(
      call.method, try endpoint.url(path: call.path, query: call.query), headers: headers,
      body: call.body, timeouts: call.timeouts ?? endpoint.timeouts,
      responseLimit: call.responseLimit,
      isRepeatable: call.method == .get || endpoint.allowsSilentRepeat)
  }

  private func wait(
    after attempt: Int, of call: ServiceCall, _ failure: ServiceFailure
  ) -> Duration? {
    guard attempt <= call.retries ?? .max,
      let wait = environment.retry.delay(
        after: attempt, advice: failure.advice, random: environment.random())
    else { return nil }
    let end = environment.clock.now() + wait
    return state.withLock { state in
      // Waiting would only end in a refusal.
      if case .suspended = state.breaker.health(at: end) { return nil }
      return state.budget.takeOne() ? wait : nil
    }
  }

  private func noteAnswer(latency: Duration) {
    state.withLock { state in
      state.breaker.noteAnswer()
      state.health.lastLatency = latency
    }
  }

  /// Notes that a response was read to its end, or as far as needed.
  fileprivate func noteEnd() {
    gate.leave()
    state.withLock { state in
      state.breaker.noteSuccess()
      state.budget.noteSuccess()
      state.health.successes += 1
      state.health.lastError = nil
    }
  }

  /// Notes that a response failed, and returns the error for the caller.
  fileprivate func noteEnd(_ error: any Error) -> any Error {
    gate.leave()
    do {
      return try note(error).error
    } catch {
      return error
    }
  }

  /// Notes a failure. Throws errors that are none of the service, such as a cancellation.
  private func note(_ error: any Error) throws -> ServiceFailure {
    let now = environment.clock.now()
    let failure: ServiceFailure
    switch error {
    case let known as ServiceFailure: failure = known
    case let known as HTTPFailure: failure = ServiceFailure(known, service: name)
    case let known as AIServiceError: failure = ServiceFailure(known)
    case is CancellationError:
      state.withLock { $0.breaker.noteNothing(at: now) }
      throw error
    default: failure = ServiceFailure(.networkError("\(name): \(error.localizedDescription)"))
    }
    state.withLock { state in
      if failure.countsAgainstService {
        state.breaker.noteFailure(at: now)
      } else {
        state.breaker.noteNothing(at: now)
      }
      state.health.failures += 1
      state.health.lastError = failure.error
    }
    return failure
  }

  private func suspended(for wait: Duration) -> AIServiceError {
    let last = state.withLock(\.health.lastError).map { " The last error: \($0.message)" } ?? ""
    let seconds = Int(wait.components.seconds) + 1
    return .connectionFailed(
      "\(name) failed several times in a row and is suspended for another \(seconds) s.\(last)")
  }

  private static func place(of error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "“\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))” is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "“\(context.codingPath.map(\.stringValue).joined(separator: "."))” is of another type"
    default: "it is not JSON"
    }
  }
}

/// Reads a body and notifies the client of its end: at the last byte, at an error, or on release.
private final class BodyReader: Sendable {
  private let body: HTTPBody
  private let client: ServiceClient
  private let isOver = OnceFlag()

  init(_ body: HTTPBody, client: ServiceClient) {
    self.body = body
    self.client = client
  }

  deinit {
    if isOver.raise() { client.noteEnd() }
  }

  func next() async throws -> Data? {
    do {
      if let piece = try await body.next() { return piece }
    } catch {
      throw isOver.raise() ? client.noteEnd(error) : error
    }
    if isOver.raise() { client.noteEnd() }
    return nil
  }
}

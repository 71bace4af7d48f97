import AIServices
import Foundation
import SpeechConcurrency

/// A transport without a server, which answers from a recording.
///
/// Each recorded exchange answers one request: the first with its method, path, query and body. The
/// order of members in JSON bodies and the boundaries of forms are ignored, as are header fields
/// and the host. A masked secret matches anything. Answers arrive in their recorded pieces,
/// including failures. Where the recorded task was cancelled, nothing arrives until the task is
/// cancelled or a timeout of the request expires.
///
/// A recorded WebSocket is opened once, in the same way. A message of the server arrives when all
/// messages have been sent that the client had sent before it. Each message that is sent
/// corresponds to the first equal recorded one that has not been sent yet. Messages that a client
/// sends periodically depend on its clock, which should be the clock of the replay. A message that
/// was not recorded breaks the connection.
///
/// ```swift
/// let replay = ReplayTransport(try TrafficRecording(contentsOf: file))
/// let provider = OpenAIProvider(
///   configuration: .init(), credentialManager: keys, environment: .init(transport: replay))
/// #expect(try await provider.reply(to: ChatRequest("Hello")).text == "Hi!")
/// #expect(replay.unasked.isEmpty)
/// ```
public final class ReplayTransport: HTTPTransport, WebSocketTransport {
  /// The recorded exchanges, WebSockets and messages that may match.
  public enum Order: Sendable {
    /// The first unused one that matches.
    case any
    /// Only the first unused one.
    case asRecorded
  }

  private struct State {
    var exchanges: ReplayCandidates
    var sockets: ReplayCandidates
    var opened: [ReplaySocket] = []
    var mismatches: [TrafficMismatch] = []
  }

  private let recording: TrafficRecording
  private let order: Order
  private let clock: ServiceClock?
  private let secrets: TrafficSecrets
  private let state: Guarded<State>
  private let changes = ChangeSignal()

  /// Creates a transport that answers from a recording.
  ///
  /// - Parameters:
  ///   - order: the recorded exchanges, WebSockets and messages that may match.
  ///   - clock: the clock for the recorded times; `nil` to receive everything at once.
  ///   - secrets: the secrets to mask in a request before it is compared; the same as when it was
  ///     recorded.
  public init(
    _ recording: TrafficRecording, order: Order = .any, clock: ServiceClock? = nil,
    hiding secrets: TrafficSecrets = .standard
  ) {
    self.recording = recording
    self.order = order
    self.clock = clock
    self.secrets = secrets
    state = Guarded(
      State(
        exchanges: ReplayCandidates(
          recording.exchanges.map { ComparedTraffic($0.request) }, order: order),
        sockets: ReplayCandidates(
          recording.sockets.map { ComparedTraffic($0.request) }, order: order)))
  }

  /// The recorded exchanges that have not been requested.
  public var unasked: [RecordedExchange] {
    state.withLock(\.exchanges).unused.map { recording.exchanges[$0] }
  }

  /// The recorded WebSockets that have not been opened.
  public var unopened: [RecordedSocket] {
    state.withLock(\.sockets).unused.map { recording.sockets[$0] }
  }

  /// The recorded messages that have not been sent over the opened WebSockets.
  public var unsent: [WebSocketMessage] { state.withLock(\.opened).flatMap(\.unsent) }

  /// The requests and messages that were not recorded.
  public var mismatches: [TrafficMismatch] { state.withLock(\.mismatches) }

  /// Waits until the condition holds. It is evaluated whenever something has been requested, sent
  /// or read. For tests that cancel tasks.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func wait(until condition: @Sendable (ReplayTransport) -> Bool) async throws {
    try await changes.wait(until: { condition(self) })
  }

  // MARK: Requests

  /// Answers a request from the recording.
  ///
  /// - Throws: `TrafficError.notRecorded`, the recorded failure, or `CancellationError` if the task
  ///   was cancelled. Reading the body throws the same, and `TrafficError.endsHere`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    _ = try request.checkedHost()
    let (_, masked) = masking(.init(request), request.headers.secrets)
    let exchange = recording.exchanges[
      try take(masked, from: \.exchanges, of: recording.exchanges.map(\.request))]
    let replayed = ReplayedAnswer(exchange, for: request, clock: clock)
    guard let answer = exchange.answer else { throw try await replayed.end(waitingFor: .firstByte) }
    try await replayed.wait(answer.after, for: .firstByte)
    return HTTPResponse(
      status: answer.status, headers: HTTPHeaders(answer.headers),
      body: HTTPBody(source: { _ in try await replayed.next() }))
  }

  // MARK: WebSockets

  /// Opens a recorded WebSocket.
  ///
  /// - Throws: `TrafficError.notRecorded`, the recorded failure, or `CancellationError` if the task
  ///   was cancelled. Sending over it throws the same.
  public func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection {
    try Task.checkCancellation()
    _ = try request.checkedHost()
    let (mask, masked) = masking(.init(request), request.secrets)
    let timeout = request.openTimeout
    let index = try take(masked, from: \.sockets, of: recording.sockets.map(\.request))
    let recorded = recording.sockets[index]
    guard let opening = recorded.opening else {
      try await wait(recorded.endAfter, atMost: timeout)
      if case .failure(let failure)? = recorded.end.outcome { throw failure }
      try await (clock ?? .real).sleep(timeout)
      throw HTTPFailure.timedOut(.connect)
    }
    try await wait(opening.after, atMost: timeout)
    let context = ReplaySocket.Context(
      order: order, clock: clock,
      report: { [weak self] mismatch in
        self?.state.withLock { $0.mismatches.append(mismatch) }
        self?.changes.notify()
      }, changed: { [changes] in changes.notify() })
    let socket = ReplaySocket(
      recorded, number: index + 1, messageLimit: request.messageLimit, mask: mask, in: context)
    state.withLock { $0.opened.append(socket) }
    changes.notify()
    return socket
  }

  private func wait(_ time: Duration, atMost timeout: Duration) async throws {
    guard let clock, time > .zero else { return }
    try await clock.sleep(min(time, timeout))
    if time > timeout { throw HTTPFailure.timedOut(.connect) }
  }

  // MARK: Finding

  private func masking(
    _ request: RecordedExchange.Request, _ carried: [SecureString]
  ) -> (TrafficMask, RecordedExchange.Request) {
    let mask = TrafficMask(
      secrets, knowing: carried + TrafficMask.values(in: request, secrets))
    return (mask, mask.masked(request))
  }

  private func take(
    _ request: RecordedExchange.Request, from candidates: WritableKeyPath<State, ReplayCandidates>,
    of requests: [RecordedExchange.Request]
  ) throws(TrafficError) -> Int {
    defer { changes.notify() }
    let asked = ComparedTraffic(request)
    return try state.withLock { state throws(TrafficError) in
      if let index = state[keyPath: candidates].take(asked) { return index }
      let nearest = state[keyPath: candidates].nearest(to: asked)
      let mismatch = TrafficMismatch(
        asked: request, nearest: nearest.map { requests[$0.index] },
        number: nearest.map { $0.index + 1 }, differences: nearest?.differences ?? [],
        timesUsed: state[keyPath: candidates].timesUsed(asked))
      state.mismatches.append(mismatch)
      throw .notRecorded(mismatch)
    }
  }
}

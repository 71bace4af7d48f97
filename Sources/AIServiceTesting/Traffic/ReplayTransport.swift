import AIServices
import Foundation
import SpeechConcurrency

/// A way to no server: it answers from a recording.
///
/// Each recorded exchange answers one request, the first one that has its method, path, query and body. Bodies of JSON
/// are the same whatever the order of their members, forms whatever their boundary; header fields and the host make
/// no difference, and what a secret was replaced with is the same as anything. Answers come in the pieces in which
/// they came when they were recorded, failures included. Where the task was cancelled then, nothing more comes until it
/// is cancelled, or a time-out of the request is over.
///
/// ```swift
/// let replay = ReplayTransport(try TrafficRecording(contentsOf: file))
/// let provider = OpenAIProvider(
///   configuration: .init(), credentialManager: keys, environment: .init(transport: replay))
/// #expect(try await provider.reply(to: ChatRequest("Hello")).text == "Hi!")
/// #expect(replay.unasked.isEmpty)
/// ```
public final class ReplayTransport: HTTPTransport {
  /// Which of the recorded exchanges may answer.
  public enum Order: Sendable {
    /// Of those that match the first that has not answered yet.
    case any
    /// The first that has not answered yet, and no other.
    case asRecorded
  }

  private struct State {
    var hasAnswered: [Bool]
    var mismatches: [TrafficMismatch] = []
  }

  private let exchanges: [RecordedExchange]
  private let compared: [ComparedRequest]
  private let order: Order
  private let clock: ServiceClock?
  private let secrets: TrafficSecrets
  private let state: Guarded<State>
  private let changes = ChangeSignal()

  /// Answers from that recording.
  ///
  /// - Parameters:
  ///   - order: which of the recorded exchanges may answer.
  ///   - clock: the clock by which pieces take the time that they took; `nil` to have all at once.
  ///   - secrets: what is taken out of a request before it is compared; the same as when it was recorded.
  public init(
    _ recording: TrafficRecording, order: Order = .any, clock: ServiceClock? = nil,
    hiding secrets: TrafficSecrets = .standard
  ) {
    exchanges = recording.exchanges
    compared = recording.exchanges.map { ComparedRequest($0.request) }
    self.order = order
    self.clock = clock
    self.secrets = secrets
    state = Guarded(State(hasAnswered: recording.exchanges.map { _ in false }))
  }

  /// What was recorded and has not been asked for.
  public var unasked: [RecordedExchange] {
    state.withLock { state in
      zip(exchanges, state.hasAnswered).compactMap { $1 ? nil : $0 }
    }
  }

  /// What was asked for and not recorded.
  public var mismatches: [TrafficMismatch] { state.withLock(\.mismatches) }

  /// Waits until the condition holds; it is looked at whenever something has been asked. For tests that cancel what
  /// is under way.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func wait(until condition: @Sendable (ReplayTransport) -> Bool) async throws {
    while true {
      let version = changes.version
      if condition(self) { return }
      try await changes.wait(after: version)
    }
  }

  /// Answers the request from the recording.
  ///
  /// - Throws: `TrafficError.notRecorded`; the failure that was recorded; `CancellationError` when the task was
  ///   cancelled. Reading the body throws the same, and `TrafficError.endsHere`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    _ = try request.checkedHost()
    let exchange = try take(masked(request))
    let course = ReplayCourse(exchange, for: request, clock: clock)
    guard let answer = exchange.answer else { throw try await course.end(waitingFor: .firstByte) }
    try await course.wait(answer.after, for: .firstByte)
    return HTTPResponse(
      status: answer.status, headers: HTTPHeaders(answer.headers),
      body: HTTPBody(source: { _ in try await course.next() }))
  }

  private func masked(_ request: HTTPRequest) -> RecordedExchange.Request {
    let raw = RecordedExchange.Request(request)
    let found = TrafficMask.values(in: RecordedExchange(raw), secrets)
    return TrafficMask(secrets, knowing: request.headers.secrets + found).masked(raw)
  }

  private func take(_ request: RecordedExchange.Request) throws(TrafficError) -> RecordedExchange {
    let asked = ComparedRequest(request)
    let (index, candidates) = state.withLock { state -> (Int?, [Int]) in
      var candidates = exchanges.indices.filter { !state.hasAnswered[$0] }
      if order == .asRecorded { candidates = Array(candidates.prefix(1)) }
      // The same before what is the same but for its secrets.
      let index =
        candidates.first { compared[$0] == asked } ?? candidates.first { matches($0, asked) }
      if let index { state.hasAnswered[index] = true }
      return (index, candidates)
    }
    defer { changes.notify() }
    if let index { return exchanges[index] }
    let mismatch = mismatch(request, asked, among: candidates)
    state.withLock { $0.mismatches.append(mismatch) }
    throw .notRecorded(mismatch)
  }

  private func matches(_ index: Int, _ asked: ComparedRequest) -> Bool {
    TrafficComparison(recorded: compared[index], asked: asked).differences.isEmpty
  }

  private func mismatch(
    _ request: RecordedExchange.Request, _ asked: ComparedRequest, among candidates: [Int]
  ) -> TrafficMismatch {
    let same = exchanges.indices.filter { matches($0, asked) }
    let isLeft = state.withLock { state in same.contains { !state.hasAnswered[$0] } }
    let nearest = candidates.map {
      (index: $0, comparison: TrafficComparison(recorded: compared[$0], asked: asked))
    }.min { $0.comparison.distance < $1.comparison.distance }
    return TrafficMismatch(
      asked: request, nearest: nearest.map { exchanges[$0.index].request },
      number: nearest.map { $0.index + 1 }, differences: nearest?.comparison.differences ?? [],
      timesUsed: isLeft ? 0 : same.count)
  }
}

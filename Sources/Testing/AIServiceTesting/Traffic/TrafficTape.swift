import AIServices
import Foundation
import SpeechConcurrency

/// The unmasked recording, and the secrets that were seen.
final class TrafficTape: Sendable {
  private struct State {
    var exchanges: [(exchange: RecordedExchange, isOver: Bool)] = []
    var sockets: [SocketTape] = []
    var secrets: [SecureString] = []
  }

  let clock: ServiceClock
  private let state = Guarded(State())

  init(clock: ServiceClock) {
    self.clock = clock
  }

  var contents: (recording: TrafficRecording, secrets: [SecureString]) {
    state.withLock { state in
      let recording = TrafficRecording(
        state.exchanges.map(\.exchange), sockets: state.sockets.map(\.socket))
      return (recording, state.secrets)
    }
  }

  func note(_ secret: SecureString) {
    // A copy, because the caller may clear the original.
    let secret = secret.copy()
    state.withLock { state in
      if !state.secrets.contains(secret) { state.secrets.append(secret) }
    }
  }

  func begin(_ request: HTTPRequest) -> Int {
    for secret in request.headers.secrets { note(secret) }
    let exchange = RecordedExchange(.init(request), end: .abandoned)
    return state.withLock { state in
      state.exchanges.append((exchange, false))
      return state.exchanges.count - 1
    }
  }

  func noteAnswer(_ response: HTTPResponse, to index: Int, after time: Duration) {
    let answer = RecordedExchange.Answer(
      response.status, headers: response.headers.recorded, after: time.inMicroseconds)
    state.withLock { $0.exchanges[index].exchange.answer = answer }
  }

  func notePiece(_ bytes: Data, of index: Int, after time: Duration) {
    state.withLock { state in
      guard !state.exchanges[index].isOver else { return }
      state.exchanges[index].exchange.pieces.append(.init(bytes, after: time.inMicroseconds))
    }
  }

  /// Records the end of an exchange. Only the first end counts.
  func noteEnd(_ end: RecordedExchange.End, of index: Int, after time: Duration) {
    state.withLock { state in
      guard !state.exchanges[index].isOver else { return }
      state.exchanges[index].isOver = true
      state.exchanges[index].exchange.end = end
      state.exchanges[index].exchange.endAfter = time.inMicroseconds
    }
  }

  // MARK: WebSockets

  func begin(_ request: RecordedExchange.Request, carrying secrets: [SecureString]) -> Int {
    for secret in secrets { note(secret) }
    let now = clock.now()
    return state.withLock { state in
      state.sockets.append(SocketTape(request, at: now))
      return state.sockets.count - 1
    }
  }

  func noteOpened(_ subprotocol: String?, of index: Int) {
    change(index) { $0.open(subprotocol, at: $1) }
  }

  /// Records an event.
  ///
  /// - Returns: the number with which it can be removed.
  @discardableResult
  func note(_ kind: RecordedSocket.Event.Kind, of index: Int) -> Int {
    change(index) { $0.note(kind, at: $1) }
  }

  /// Removes events that did not happen.
  func takeBack(_ numbers: [Int], of index: Int) {
    change(index) { tape, _ in tape.takeBack(numbers) }
  }

  /// Records the end of a WebSocket. Only the first end counts.
  func noteEnd(_ end: RecordedSocket.End, of index: Int) {
    change(index) { $0.end(end, at: $1) }
  }

  private func change<Result>(
    _ index: Int, _ body: (inout SocketTape, Duration) -> Result
  ) -> Result {
    let now = clock.now()
    return state.withLock { body(&$0.sockets[index], now) }
  }
}

/// The unmasked recording of one WebSocket.
private struct SocketTape {
  private let request: RecordedExchange.Request
  private var opening: RecordedSocket.Opening?
  private var events: [(number: Int, kind: RecordedSocket.Event.Kind, time: Duration)] = []
  private var nextNumber = 0
  private var ending: (end: RecordedSocket.End, time: Duration)?
  private let begun: Duration

  init(_ request: RecordedExchange.Request, at time: Duration) {
    self.request = request
    begun = time
  }

  var socket: RecordedSocket {
    var last = begun + (opening?.after ?? .zero)
    func after(_ time: Duration) -> Duration {
      // Concurrent threads may have read the clock in another order.
      defer { last = max(last, time) }
      return max(.zero, time - last).inMicroseconds
    }
    return RecordedSocket(
      request, opening: opening, events: events.map { .init($0.kind, after: after($0.time)) },
      end: ending?.end ?? .abandoned, endAfter: ending.map { after($0.time) } ?? .zero)
  }

  mutating func open(_ subprotocol: String?, at time: Duration) {
    opening = .init(subprotocol: subprotocol, after: (time - begun).inMicroseconds)
  }

  mutating func note(_ kind: RecordedSocket.Event.Kind, at time: Duration) -> Int {
    defer { nextNumber += 1 }
    if ending == nil { events.append((nextNumber, kind, time)) }
    return nextNumber
  }

  mutating func takeBack(_ numbers: [Int]) {
    events.removeAll { numbers.contains($0.number) }
  }

  mutating func end(_ end: RecordedSocket.End, at time: Duration) {
    if ending == nil { ending = (end, time) }
  }
}

extension Duration {
  /// The precision of a recording.
  fileprivate var inMicroseconds: Duration {
    let (seconds, attoseconds) = components
    return .seconds(seconds) + .microseconds(attoseconds / 1_000_000_000_000)
  }
}

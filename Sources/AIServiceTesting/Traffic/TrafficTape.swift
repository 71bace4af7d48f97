import AIServices
import Foundation
import SpeechConcurrency

/// What has happened, secrets and all, and the secrets that were seen.
final class TrafficTape: Sendable {
  private struct State {
    var exchanges: [(exchange: RecordedExchange, isOver: Bool)] = []
    var secrets: [SecureString] = []
  }

  let clock: ServiceClock
  private let state = Guarded(State())

  init(clock: ServiceClock) {
    self.clock = clock
  }

  var contents: ([RecordedExchange], [SecureString]) {
    state.withLock { ($0.exchanges.map(\.exchange), $0.secrets) }
  }

  func note(_ secret: SecureString) {
    // A copy, because whoever it was given to may clear theirs.
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

  /// Only the first end counts.
  func noteEnd(_ end: RecordedExchange.End, of index: Int, after time: Duration) {
    state.withLock { state in
      guard !state.exchanges[index].isOver else { return }
      state.exchanges[index].isOver = true
      state.exchanges[index].exchange.end = end
      state.exchanges[index].exchange.endAfter = time.inMicroseconds
    }
  }
}

extension Duration {
  /// As exact as a recording is.
  fileprivate var inMicroseconds: Duration {
    let (seconds, attoseconds) = components
    return .seconds(seconds) + .microseconds(attoseconds / 1_000_000_000_000)
  }
}

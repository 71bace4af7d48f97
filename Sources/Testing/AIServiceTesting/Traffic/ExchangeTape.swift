import AIServices
import Foundation
import SpeechConcurrency

/// The unmasked recording of one exchange.
final class ExchangeTape: Sendable {
  private struct State {
    var exchange: RecordedExchange
    var isOver = false
  }

  let clock: ServiceClock
  private let state: Guarded<State>

  init(_ request: HTTPRequest, clock: ServiceClock) {
    self.clock = clock
    state = Guarded(State(exchange: RecordedExchange(.init(request), end: .abandoned)))
  }

  var exchange: RecordedExchange { state.withLock(\.exchange) }

  func noteAnswer(_ response: HTTPResponse, after time: Duration) {
    let answer = RecordedExchange.Answer(
      response.status, headers: response.headers.recorded, after: time.inMicroseconds)
    state.withLock { $0.exchange.answer = answer }
  }

  func notePiece(_ bytes: Data, after time: Duration) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.exchange.pieces.append(.init(bytes, after: time.inMicroseconds))
    }
  }

  /// Records the end. Only the first one counts.
  func noteEnd(_ end: RecordedExchange.End, after time: Duration) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      state.exchange.end = end
      state.exchange.endAfter = time.inMicroseconds
    }
  }
}

/// The body of an answer, which is recorded while it is read.
final class TapedBody: Sendable {
  private let body: HTTPBody
  private let tape: ExchangeTape

  init(_ body: HTTPBody, _ tape: ExchangeTape) {
    self.body = body
    self.tape = tape
  }

  deinit {
    tape.noteEnd(.abandoned, after: .zero)
  }

  func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
    let started = tape.clock.now()
    do {
      let piece = try await body.next(isolation: actor)
      let waited = tape.clock.now() - started
      if let piece {
        tape.notePiece(piece, after: waited)
      } else {
        tape.noteEnd(.complete, after: waited)
      }
      return piece
    } catch {
      tape.noteEnd(.init(error), after: tape.clock.now() - started)
      throw error
    }
  }
}

extension Duration {
  /// The precision of a recording.
  var inMicroseconds: Duration {
    let (seconds, attoseconds) = components
    return .seconds(seconds) + .microseconds(attoseconds / 1_000_000_000_000)
  }
}

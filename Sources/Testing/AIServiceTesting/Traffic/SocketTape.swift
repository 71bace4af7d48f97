import AIServices
import SpeechConcurrency

/// The unmasked recording of one WebSocket.
final class SocketTape: Sendable {
  private struct State {
    var opening: RecordedSocket.Opening?
    var events: [(number: Int, kind: RecordedSocket.Event.Kind, time: Duration)] = []
    var nextNumber = 0
    var ending: (end: RecordedSocket.End, time: Duration)?
  }

  private let request: RecordedExchange.Request
  private let clock: ServiceClock
  private let begun: Duration
  private let state = Guarded(State())

  init(_ request: WebSocketRequest, clock: ServiceClock) {
    self.request = .init(request)
    self.clock = clock
    begun = clock.now()
  }

  var socket: RecordedSocket {
    state.withLock { state in
      var last = begun + (state.opening?.after ?? .zero)
      func after(_ time: Duration) -> Duration {
        // Concurrent threads may have read the clock in another order.
        defer { last = max(last, time) }
        return max(.zero, time - last).inMicroseconds
      }
      return RecordedSocket(
        request, opening: state.opening,
        events: state.events.map { .init($0.kind, after: after($0.time)) },
        end: state.ending?.end ?? .abandoned, endAfter: state.ending.map { after($0.time) } ?? .zero
      )
    }
  }

  func noteOpened(_ subprotocol: String?) {
    let time = (clock.now() - begun).inMicroseconds
    state.withLock { $0.opening = .init(subprotocol: subprotocol, after: time) }
  }

  /// Records an event, and returns the number with which it can be removed.
  @discardableResult
  func note(_ kind: RecordedSocket.Event.Kind) -> Int {
    let now = clock.now()
    return state.withLock { state in
      defer { state.nextNumber += 1 }
      if state.ending == nil { state.events.append((state.nextNumber, kind, now)) }
      return state.nextNumber
    }
  }

  /// Removes events that did not happen.
  func takeBack(_ numbers: [Int]) {
    state.withLock { state in state.events.removeAll { numbers.contains($0.number) } }
  }

  /// Records the end. Only the first one counts.
  func noteEnd(_ end: RecordedSocket.End) {
    let now = clock.now()
    state.withLock { $0.ending = $0.ending ?? (end, now) }
  }
}

/// A WebSocket whose messages are recorded.
final class TapedSocket: WebSocketConnection {
  private let socket: any WebSocketConnection
  private let tape: SocketTape

  init(_ socket: any WebSocketConnection, _ tape: SocketTape) {
    self.socket = socket
    self.tape = tape
  }

  deinit {
    tape.noteEnd(.abandoned)
  }

  var subprotocol: String? { socket.subprotocol }
  var close: WebSocketClose? { socket.close }

  func send(_ messages: [WebSocketMessage]) async throws {
    // Recorded before it is sent, because the answer may arrive before this returns.
    let numbers = messages.map { tape.note(.sent($0)) }
    do {
      try await socket.send(messages)
    } catch {
      tape.takeBack(numbers)
      throw error
    }
  }

  func receive() async throws -> WebSocketMessage? {
    do {
      let message = try await socket.receive()
      if let message {
        tape.note(.received(message))
      } else {
        tape.noteEnd(.closed(socket.close ?? .withoutCode))
      }
      return message
    } catch {
      // A cancelled reader may read again.
      if !(error is CancellationError) { tape.noteEnd(.init(error)) }
      throw error
    }
  }

  func close(_ close: WebSocketClose) async {
    tape.note(.closing(close))
    await socket.close(close)
    tape.noteEnd(socket.close.map { .closed($0) } ?? .abandoned)
  }

  func drop() async {
    tape.noteEnd(.abandoned)
    await socket.drop()
  }
}

import AIServices

/// A WebSocket whose messages are recorded.
final class TapedSocket: WebSocketConnection {
  private let socket: any WebSocketConnection
  private let tape: TrafficTape
  private let index: Int

  init(_ socket: any WebSocketConnection, _ tape: TrafficTape, _ index: Int) {
    self.socket = socket
    self.tape = tape
    self.index = index
  }

  deinit {
    tape.noteEnd(.abandoned, of: index)
  }

  var subprotocol: String? { socket.subprotocol }
  var close: WebSocketClose? { socket.close }

  func send(_ messages: [WebSocketMessage]) async throws {
    // Recorded before it is sent, because the answer may arrive before this returns.
    let numbers = messages.map { tape.note(.sent($0), of: index) }
    do {
      try await socket.send(messages)
    } catch {
      tape.takeBack(numbers, of: index)
      throw error
    }
  }

  func receive() async throws -> WebSocketMessage? {
    do {
      let message = try await socket.receive()
      if let message {
        tape.note(.received(message), of: index)
      } else {
        tape.noteEnd(.closed(socket.close ?? WebSocketClose(code: 1005)), of: index)
      }
      return message
    } catch {
      // A cancelled reader may read again.
      if !(error is CancellationError) { tape.noteEnd(.init(error), of: index) }
      throw error
    }
  }

  func close(_ close: WebSocketClose) async {
    tape.note(.closing(close), of: index)
    await socket.close(close)
    tape.noteEnd(socket.close.map { .closed($0) } ?? .abandoned, of: index)
  }

  func drop() async {
    tape.noteEnd(.abandoned, of: index)
    await socket.drop()
  }
}

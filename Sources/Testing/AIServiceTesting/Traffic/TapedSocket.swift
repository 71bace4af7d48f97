import AIServices
import LLMSocket
import SpeechConcurrency

/// A WebSocket whose messages are noted.
final class TapedSocket: WebSocketConnection {
  private let socket: any WebSocketConnection
  private let tape: TrafficTape
  private let index: Int
  /// Whether the connection is what is noted, and not one that a session has not changed over to yet.
  private let isInUse: Guarded<Bool>

  /// - Parameter isUpgrade: whether a session of Engine.IO changes over to it.
  init(
    _ socket: any WebSocketConnection, _ tape: TrafficTape, _ index: Int, isUpgrade: Bool = false
  ) {
    self.socket = socket
    self.tape = tape
    self.index = index
    isInUse = Guarded(!isUpgrade)
  }

  deinit {
    end(.abandoned)
  }

  var subprotocol: String? { socket.subprotocol }
  var close: WebSocketClose? { socket.close }

  func send(_ messages: [WebSocketMessage]) async throws {
    // Before it is on its way, because the answer may be there before this returns.
    let numbers = messages.compactMap { message in
      isOfTheSession(message) ? tape.note(.sent(message), of: index) : nil
    }
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
        if isInUse.withLock({ $0 }) { tape.note(.received(message), of: index) }
      } else {
        end(.closed(socket.close ?? WebSocketClose(code: 1005)))
      }
      return message
    } catch {
      // Whoever no longer waits may wait again.
      if !(error is CancellationError) { end(.init(error)) }
      throw error
    }
  }

  func close(_ close: WebSocketClose) async {
    if isInUse.withLock({ $0 }) { tape.note(.closing(close), of: index) }
    await socket.close(close)
    end(socket.close.map { .closed($0) } ?? .abandoned)
  }

  func drop() async {
    end(.abandoned)
    await socket.drop()
  }

  /// Whether it is more than a step of changing over.
  private func isOfTheSession(_ message: WebSocketMessage) -> Bool {
    isInUse.withLock { isInUse in
      if isInUse { return true }
      isInUse = (try? EngineIOPacket(message)) == .upgrade
      return false
    }
  }

  private func end(_ end: RecordedSocket.End) {
    if isInUse.withLock({ $0 }) { tape.noteEnd(end, of: index) }
  }
}

import AIServices
import Foundation
import LLMSocket
import SpeechConcurrency

/// A session of Engine.IO that is replayed: to long-polling, and to the WebSocket that it changes over to.
final class PollingReplay: Sendable {
  /// What the polls are told while the session changes over.
  private enum Change {
    case none
    /// It is tried: the poll that waits is told nothing at once, so that it ends, and each later one after a moment.
    case tried(polls: Int)
    /// It is done: what comes comes over the WebSocket.
    case done
  }

  /// How long a poll takes that is told nothing. With a server it is the time on the way; without any, the client's
  /// polls would leave the change no time.
  private static let moment = Duration.milliseconds(10)

  private let socket: ReplaySocket
  private let change = Guarded(Change.none)

  init(_ socket: ReplaySocket) {
    self.socket = socket
  }

  func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    do {
      if request.method == .post {
        for packet in try EngineIOPayload.decode(request.body ?? Data()) {
          if packet == .close {
            await socket.close(WebSocketClose())
          } else {
            try await socket.send([packet.webSocketMessage])
          }
        }
        return Self.response(200, Data("ok".utf8))
      }
      let packet: EngineIOPacket
      switch try await socket.receive(while: { isCarrying }) {
      case .message(let message): packet = try EngineIOPacket(message)
      case .end: packet = .close
      case .unwanted:
        packet = .noop
        if isToldAgain { try await Task.sleep(for: Self.moment) }
      }
      return Self.response(200, EngineIOPayload.encode([packet]))
    } catch let refusal as WebSocketRefusal {
      return Self.response(refusal.status, Data(refusal.body.utf8))
    }
  }

  /// Whether what comes comes to the polls.
  private var isCarrying: Bool {
    change.withLock { if case .none = $0 { true } else { false } }
  }

  /// Counts a poll that is told nothing; whether one was before.
  private var isToldAgain: Bool {
    change.withLock { change in
      guard case .tried(let polls) = change else { return false }
      change = .tried(polls: polls + 1)
      return polls > 0
    }
  }

  private func become(_ new: Change) {
    change.withLock { $0 = new }
    socket.wake()
  }

  /// The WebSocket that the session changes over to.
  func upgrade() -> any WebSocketConnection { UpgradeSocket(self) }

  static func response(_ status: Int, _ body: Data) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=UTF-8"],
      body: HTTPBody(body))
  }

  /// Tries the change first, and carries the session then.
  private final class UpgradeSocket: WebSocketConnection {
    private struct State {
      var isTried = false
      var isAnswered = false
      var isDone = false
    }

    private let session: PollingReplay
    private let state = Guarded(State())
    private let tried = ChangeSignal()

    init(_ session: PollingReplay) {
      self.session = session
    }

    var subprotocol: String? { nil }
    var close: WebSocketClose? { session.socket.close }

    func send(_ messages: [WebSocketMessage]) async throws {
      for message in messages {
        guard !state.withLock({ $0.isDone }) else {
          try await session.socket.send([message])
          continue
        }
        switch try EngineIOPacket(message) {
        case .ping:
          state.withLock { $0.isTried = true }
          tried.notify()
        case .upgrade:
          state.withLock { $0.isDone = true }
          session.become(.done)
        default: throw HTTPFailure.malformed("The session has not changed over to this WebSocket.")
        }
      }
    }

    func receive() async throws -> WebSocketMessage? {
      while true {
        let version = tried.version
        let (isAnswered, isTried) = state.withLock { state in
          defer { state.isAnswered = state.isTried }
          return (state.isAnswered, state.isTried)
        }
        if isAnswered { return try await session.socket.receive() }
        guard isTried else {
          try await tried.wait(after: version)
          continue
        }
        session.become(.tried(polls: 0))
        return EngineIOPacket.pong("probe").webSocketMessage
      }
    }

    func close(_ close: WebSocketClose) async {
      if state.withLock({ $0.isDone }) {
        await session.socket.close(close)
      } else {
        session.become(.none)
      }
    }

    func drop() async {
      if state.withLock({ $0.isDone }) {
        await session.socket.drop()
      } else {
        session.become(.none)
      }
    }
  }
}

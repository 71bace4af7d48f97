import AIServices
import Foundation

/// What an Engine.IO connection has to do next: the protocol without its effects.
struct EngineIOSession: Sendable {
  /// What packets travel over.
  enum Carrier: Sendable {
    case polling
    case webSocket
  }

  enum Action: Hashable, Sendable {
    case send(EngineIOPacket, Carrier)
    /// The handshake is done.
    case opened(EngineIOHandshake)
    case deliver(EngineIOPacket)
    /// The server is alive.
    case heard
    /// No more is to be sent over long-polling, and the last poll to be waited for; then `polled` is called.
    case stopPolling
    /// From now on everything goes over the WebSocket.
    case useWebSocket
    /// The server ends the connection.
    case end
  }

  private enum Stage {
    case handshake
    case open
    /// The WebSocket is being tried, with the long-polling still in use.
    case probing
    /// The WebSocket works; the last poll is awaited.
    case draining
  }

  private var stage = Stage.handshake
  private(set) var carrier: Carrier
  private static let probe = "probe"

  init(carrier: Carrier) {
    self.carrier = carrier
  }

  mutating func receive(
    _ packet: EngineIOPacket, over source: Carrier
  ) throws(SocketIOError) -> [Action] {
    if case .handshake = stage {
      guard case .open(let handshake) = packet else {
        throw .malformed("the connection does not begin with a handshake")
      }
      stage = .open
      return [.opened(handshake)]
    }
    switch packet {
    case .open: throw .malformed("a second handshake")
    case .close: return [.end]
    case .ping(let text): return [.heard, .send(.pong(text), source)]
    case .pong(let text):
      guard case .probing = stage, source == .webSocket, text == Self.probe else { return [] }
      stage = .draining
      return [.stopPolling]
    case .message, .binary: return [.deliver(packet)]
    // A noop ends a poll that had nothing to say; the server's upgrade has no meaning for us.
    case .upgrade, .noop: return []
    }
  }

  /// The WebSocket for the upgrade is open.
  mutating func beginProbe() -> [Action] {
    guard case .open = stage, carrier == .polling else { return [] }
    stage = .probing
    return [.send(.ping(Self.probe), .webSocket)]
  }

  /// The WebSocket came to nothing.
  mutating func endProbe() {
    if case .probing = stage { stage = .open }
  }

  /// The last poll is over, and everything that was to be posted is.
  mutating func polled() -> [Action] {
    guard case .draining = stage else { return [] }
    stage = .open
    carrier = .webSocket
    return [.send(.upgrade, .webSocket), .useWebSocket]
  }
}

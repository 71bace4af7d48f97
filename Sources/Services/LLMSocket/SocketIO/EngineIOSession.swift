import AIServices
import Foundation

/// The protocol of an Engine.IO connection, without side effects.
struct EngineIOSession: Sendable {
  /// The current transport of packets.
  enum Carrier: Sendable {
    case polling
    case webSocket
  }

  enum Action: Hashable, Sendable {
    case send(EngineIOPacket, Carrier)
    /// The handshake is complete.
    case opened(EngineIOHandshake)
    case deliver(EngineIOPacket)
    /// The server has sent a sign of life.
    case heard
    /// Stop posting, wait for the last poll and then call `polled`.
    case stopPolling
    /// Send everything over the WebSocket from now on.
    case useWebSocket
    /// The server ends the connection.
    case end
  }

  private enum Stage {
    case handshake
    case open
    /// The WebSocket is being tested while long-polling is still in use.
    case probing
    /// The WebSocket works; the last poll is pending.
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
  ) throws(WireError) -> [Action] {
    if case .handshake = stage {
      guard case .open(let handshake) = packet else {
        throw .socketIO("the connection does not begin with a handshake")
      }
      stage = .open
      return [.opened(handshake)]
    }
    switch packet {
    case .open: throw .socketIO("a second handshake")
    case .close: return [.end]
    case .ping(let text): return [.heard, .send(.pong(text), source)]
    case .pong(let text):
      guard case .probing = stage, source == .webSocket, text == Self.probe else { return [] }
      stage = .draining
      return [.stopPolling]
    case .message, .binary: return [.deliver(packet)]
    // A noop ends an empty poll; an upgrade packet from the server has no meaning.
    case .upgrade, .noop: return []
    }
  }

  /// Starts the test of the open WebSocket.
  mutating func beginProbe() -> [Action] {
    guard case .open = stage, carrier == .polling else { return [] }
    stage = .probing
    return [.send(.ping(Self.probe), .webSocket)]
  }

  /// Ends a failed test of the WebSocket.
  mutating func endProbe() {
    if case .probing = stage { stage = .open }
  }

  /// Continues the upgrade after the last poll, when everything has been posted.
  mutating func polled() -> [Action] {
    guard case .draining = stage else { return [] }
    stage = .open
    carrier = .webSocket
    return [.send(.upgrade, .webSocket), .useWebSocket]
  }
}

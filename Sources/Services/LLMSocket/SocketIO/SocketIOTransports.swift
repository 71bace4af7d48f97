/// The ways in which packets of Socket.IO travel.
public enum SocketIOTransports: Sendable, Hashable {
  /// Over a WebSocket from the start.
  case webSocket
  /// Over HTTP requests at first, and then over a WebSocket if the server offers one and it works.
  case pollingWithUpgrade
  /// Over HTTP requests only.
  case polling
}

import AIServices
import Foundation
import SpeechConcurrency

extension LLMConfiguration {
  /// The request that opens a connection to a Phoenix application.
  func phoenixRequest() throws -> WebSocketRequest {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw HTTPFailure.invalidRequest("The address is not valid.")
    }
    var mount = path ?? parts.path
    if path != nil, !mount.hasPrefix("/") { mount = "/" + mount }
    if mount.hasSuffix("/") { mount.removeLast() }
    parts.path = mount.hasSuffix("/websocket") ? mount : mount + "/websocket"
    parts.queryItems = [URLQueryItem(name: "vsn", value: "2.0.0")] + (parts.queryItems ?? [])
    guard let address = parts.url else {
      throw HTTPFailure.invalidRequest("The path of the Phoenix socket is not valid.")
    }
    var request = socketRequest(address)
    if let token {
      // In a header, never in the address.
      let encoded = token.withBytes { Data($0).base64EncodedString() }
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
      request.subprotocols = ["phoenix"]
      request.secretSubprotocol = .init(
        prefix: "base64url.bearer.phx.", secret: SecureString(encoded))
    }
    return request
  }

  /// Detects the dialect of the server.
  ///
  /// - Throws: `HTTPFailure` if the server cannot be reached; `WebSocketHandshakeError` if it
  ///   refuses access.
  func detectDialect(
    sockets: any WebSocketTransport, clock: any Clock<Duration>
  ) async throws -> Dialect {
    let socket: any WebSocketConnection
    do {
      socket = try await sockets.open(phoenixRequest())
    } catch let refusal as WebSocketHandshakeError where ![401, 403].contains(refusal.status) {
      // There is no such socket; Phoenix answers 403 if there is one without access.
      return .socketIO
    }
    let question = PhoenixFrame(ref: "1", topic: "phoenix", event: "heartbeat")
    let answer = try? await within(
      .seconds(3), on: clock, orThrow: HTTPFailure.timedOut(.firstByte)
    ) {
      try await socket.send(.text(question.text))
      return try await socket.receive()
    }
    await socket.close()
    try Task.checkCancellation()
    guard case .text(let text)? = answer, let frame = try? PhoenixFrame(text),
      frame.event == "phx_reply", frame.ref == "1"
    else { return .socketIO }
    return .phoenix
  }
}

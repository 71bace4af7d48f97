import Foundation

/// The parts of an address that a WebSocket is opened at.
struct WebSocketAddress: Hashable, Sendable {
  let isSecure: Bool
  /// As it stands in an address: an IPv6 address has its brackets.
  let host: String
  let port: Int?
  /// Path and query.
  let target: String
  /// Whether it is this machine's own, to which no proxy leads.
  let isLoopback: Bool

  init(_ url: URL) throws(HTTPFailure) {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw .invalidRequest("This is not an address that can be used.")
    }
    switch parts.scheme?.lowercased() {
    case "ws", "http": isSecure = false
    case "wss", "https": isSecure = true
    default:
      throw .invalidRequest("A WebSocket needs an address that begins with ws:// or wss://.")
    }
    guard parts.user == nil, parts.password == nil, parts.fragment == nil else {
      throw .invalidRequest(
        "The address of a WebSocket has neither user information nor a fragment.")
    }
    guard let host = parts.encodedHost, !host.isEmpty else {
      throw .invalidRequest("The address of the WebSocket names no host.")
    }
    self.host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    port = parts.port
    isLoopback = url.isLoopback
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    target = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    guard (self.host + target).utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .invalidRequest("The address of the WebSocket holds characters that it must not.")
    }
  }

  /// What the `Host` field says.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// What libcurl connects to.
  var connectURL: String { "\(isSecure ? "https" : "http")://\(authority)/" }
}

extension WebSocketRequest {
  /// The host that the request is for, if everything in it may be sent.
  package func checkedHost() throws(HTTPFailure) -> String {
    try headers.check()
    return try WebSocketAddress(url).host
  }
}

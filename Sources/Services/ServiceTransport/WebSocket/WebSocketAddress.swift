import Foundation

/// The parts of a WebSocket's address.
struct WebSocketAddress: Hashable, Sendable {
  let isSecure: Bool
  /// In the form of a URL: an IPv6 address has brackets.
  let host: String
  let port: Int?
  /// The path and the query.
  let target: String
  /// True if the host is this machine, which is reached without a proxy.
  let isLoopback: Bool

  init(_ url: URL) throws(HTTPFailure) {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw .invalidRequest("The address is not valid.")
    }
    switch parts.scheme?.lowercased() {
    case "ws", "http": isSecure = false
    case "wss", "https": isSecure = true
    default:
      throw .invalidRequest("The address of a WebSocket must begin with ws:// or wss://.")
    }
    guard parts.user == nil, parts.password == nil, parts.fragment == nil else {
      throw .invalidRequest(
        "The address of a WebSocket must not have user information or a fragment.")
    }
    guard let host = parts.encodedHost, !host.isEmpty else {
      throw .invalidRequest("The address of the WebSocket has no host.")
    }
    self.host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    port = parts.port
    isLoopback = url.isLoopback
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    target = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    guard (self.host + target).utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .invalidRequest("The address of the WebSocket contains invalid characters.")
    }
  }

  /// The value of the `Host` field.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// The address for libcurl to connect to.
  var connectURL: String { "\(isSecure ? "https" : "http")://\(authority)/" }
}

extension WebSocketRequest {
  /// Checks that the request may be sent, and returns its host.
  package func checkedHost() throws(HTTPFailure) -> String {
    try headers.check()
    return try WebSocketAddress(url).host
  }
}

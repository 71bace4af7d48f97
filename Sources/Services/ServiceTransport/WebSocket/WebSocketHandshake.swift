import Foundation
import ServiceCredentials
import SpeechText

/// The HTTP exchange that opens a WebSocket.
struct WebSocketHandshake: Sendable {
  /// The server's answer.
  enum Answer: Hashable {
    case accepted(subprotocol: String?)
    case refused(WebSocketHandshakeError)
  }

  /// The maximum number of bytes kept of an error body.
  private static let bodyLimit = 64 << 10

  private let request: WebSocketRequest
  private let address: WebSocketAddress
  private let key: String
  private var reader = HTTPHeadReader()
  /// The bytes received after the parsed lines.
  private var received: [UInt8] = []

  /// Creates a handshake.
  ///
  /// - Parameter nonce: 16 unpredictable bytes.
  init(
    _ request: WebSocketRequest, address: WebSocketAddress,
    nonce: [UInt8] = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  ) throws(HTTPFailure) {
    self.request = request
    self.address = address
    key = Data(nonce).base64EncodedString()
    try request.headers.check()
    for name in request.subprotocols where !Self.isToken(name.utf8) {
      throw .invalidRequest("“\(name)” is not a valid protocol name.")
    }
    if let offer = request.secretSubprotocol {
      guard Self.isToken(offer.prefix.utf8), offer.secret.withBytes({ Self.isToken($0) }) else {
        throw .invalidRequest(
          "The token contains characters that a protocol name must not have.")
      }
    }
  }

  /// Appends the request. The bytes may contain secrets: zero them after sending.
  func writeHead(to bytes: inout [UInt8]) {
    bytes += "GET \(address.target) HTTP/1.1\r\nHost: \(address.authority)\r\n".utf8
    bytes += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n".utf8
    bytes += "Sec-WebSocket-Key: \(key)\r\n".utf8
    if !request.subprotocols.isEmpty || request.secretSubprotocol != nil {
      bytes += "Sec-WebSocket-Protocol: \(request.subprotocols.joined(separator: ", "))".utf8
      if let offer = request.secretSubprotocol {
        bytes += ((request.subprotocols.isEmpty ? "" : ", ") + offer.prefix).utf8
        offer.secret.withBytes { bytes += $0 }
      }
      bytes += "\r\n".utf8
    }
    if request.headers["User-Agent"] == nil {
      bytes += "User-Agent: \(ToolkitVersion.userAgent)\r\n".utf8
    }
    for field in request.headers.fields {
      bytes += "\(field.name): ".utf8
      switch field.content {
      case .plain(let text): bytes += text.utf8
      case .secret(let prefix, let secret):
        bytes += prefix.utf8
        secret.withBytes { bytes += $0 }
      }
      bytes += "\r\n".utf8
    }
    bytes += "\r\n".utf8
  }

  /// Parses further bytes of the server's answer.
  ///
  /// - Parameter isEnd: true if the server has closed the connection.
  /// - Returns: the answer once it is complete, and the bytes that follow it.
  mutating func consume(
    _ bytes: some Collection<UInt8>, isEnd: Bool = false
  ) throws(HTTPFailure) -> (Answer, rest: [UInt8])? {
    received += bytes
    try readLines()
    guard reader.isComplete else {
      if received.count > HTTPHeadReader.limit {
        throw .malformed("The head of the server's answer is too long.")
      }
      if isEnd {
        throw .interrupted("the server closed it", beforeResponse: reader.status == 0)
      }
      return nil
    }
    guard reader.status >= 100 else { throw .malformed("The server's answer is not HTTP.") }
    if reader.status == 101 { return (try accept(), received) }
    let length = reader.headers["Content-Length"].flatMap { Int($0) } ?? Self.bodyLimit
    let wanted = min(max(0, length), Self.bodyLimit)
    guard isEnd || received.count >= wanted else { return nil }
    let body = String(decoding: received.prefix(wanted), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return (.refused(refusal(body)), [])
  }

  private func refusal(_ body: String = "") -> WebSocketHandshakeError {
    let wish = RetryAfter.wish(in: reader.headers, at: Date())
    return WebSocketHandshakeError(
      status: reader.status, body: body, retryAfter: wish.map { $0 / .seconds(1) })
  }

  /// The error from the part of the answer received so far, when the rest is not awaited.
  var refusalSoFar: WebSocketHandshakeError? {
    guard reader.isComplete, reader.status != 101 else { return nil }
    return refusal()
  }

  private mutating func readLines() throws(HTTPFailure) {
    var rest = received[...]
    while !reader.isComplete, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let result = rest[...end].withUnsafeBytes { line in
        Result { () throws(HTTPFailure) in try reader.take(line) }
      }
      try result.get()
      rest = rest[(end + 1)...]
    }
    received = Array(rest)
  }

  private func accept() throws(HTTPFailure) -> Answer {
    guard all("Upgrade").lowercased() == "websocket",
      all("Connection").lowercased().split(separator: ",")
        .contains(where: { $0.trimmingCharacters(in: .whitespaces) == "upgrade" })
    else { throw .malformed("The server's answer lacks the upgrade to the WebSocket protocol.") }
    guard reader.headers["Sec-WebSocket-Accept"] == Self.acceptance(of: key) else {
      throw .malformed("The server's answer does not match the WebSocket request.")
    }
    guard reader.headers["Sec-WebSocket-Extensions"] == nil else {
      throw .malformed("The server chose an extension that was not offered.")
    }
    let chosen = reader.headers["Sec-WebSocket-Protocol"]
    if let chosen, !request.subprotocols.contains(chosen) {
      throw .malformed("The server chose a protocol that was not offered.")
    }
    return .accepted(subprotocol: chosen)
  }

  /// The value that proves that the server has read the key.
  static func acceptance(of key: String) -> String {
    Digest.sha1(Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)).base64EncodedString()
  }

  /// The values of all fields with that name.
  private func all(_ name: String) -> String {
    reader.headers.fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
      .joined(separator: ", ")
  }

  private static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(HTTPHeaders.isTokenCharacter)
  }
}

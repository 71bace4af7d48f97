import CGLib
import Foundation

/// The exchange of HTTP that a WebSocket begins with.
struct WebSocketHandshake: Sendable {
  /// What the server's answer amounts to.
  enum Answer: Hashable {
    case accepted(subprotocol: String?)
    case refused(WebSocketRefusal)
  }

  static let headLimit = 64 << 10

  private let request: WebSocketRequest
  private let address: WebSocketAddress
  private let key: String
  private var received: [UInt8] = []
  private var headEnd: Int?

  /// - Parameter nonce: 16 bytes that nobody can foresee.
  init(
    _ request: WebSocketRequest, address: WebSocketAddress,
    nonce: [UInt8] = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  ) throws(HTTPFailure) {
    self.request = request
    self.address = address
    key = Data(nonce).base64EncodedString()
    for field in request.headers.fields { try Self.check(field) }
    for name in request.subprotocols where !Self.isToken(name.utf8) {
      throw .invalidRequest("“\(name)” cannot be the name of a protocol.")
    }
    if let offer = request.secretSubprotocol {
      guard Self.isToken(offer.prefix.utf8), offer.secret.withBytes({ Self.isToken($0) }) else {
        throw .invalidRequest(
          "The token cannot be offered as a protocol: it holds other characters.")
      }
    }
  }

  /// Writes the request. The bytes may hold secrets: zero them when they are sent.
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

  /// Reads on in the server's answer.
  ///
  /// - Parameter isEnd: whether the server has closed the connection.
  /// - Returns: the answer once it is there, and what follows it.
  mutating func consume(
    _ bytes: some Collection<UInt8>, isEnd: Bool = false
  ) throws(HTTPFailure) -> (Answer, rest: [UInt8])? {
    let searched = max(0, received.count - 3)
    received += bytes
    if headEnd == nil { headEnd = endOfHead(from: searched) }
    guard let headEnd else {
      if received.count > Self.headLimit { throw .malformed("The server's answer has no end.") }
      if isEnd { throw .interrupted("the server closed it", beforeResponse: received.isEmpty) }
      return nil
    }
    let head = try ResponseHead(received[..<headEnd])
    let rest = Array(received[headEnd...])
    if head.status == 101 { return (try accept(head), rest) }
    let wanted = min(head.contentLength ?? Self.headLimit, Self.headLimit)
    guard isEnd || rest.count >= wanted else { return nil }
    let body = String(decoding: rest.prefix(wanted), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return (.refused(WebSocketRefusal(status: head.status, body: body)), [])
  }

  /// What is known of the answer when nobody waits for the rest of it any longer.
  var refusalSoFar: WebSocketRefusal? {
    guard let headEnd, let head = try? ResponseHead(received[..<headEnd]), head.status != 101 else {
      return nil
    }
    return WebSocketRefusal(status: head.status)
  }

  private func endOfHead(from start: Int) -> Int? {
    let mark = Array("\r\n\r\n".utf8)
    guard received.count >= mark.count else { return nil }
    return (start...(received.count - mark.count))
      .first { received[$0..<$0 + mark.count].elementsEqual(mark) }.map { $0 + mark.count }
  }

  private func accept(_ head: ResponseHead) throws(HTTPFailure) -> Answer {
    guard head["upgrade"]?.lowercased() == "websocket",
      (head["connection"] ?? "").lowercased().split(separator: ",")
        .contains(where: { $0.trimmingCharacters(in: .whitespaces) == "upgrade" })
    else { throw .malformed("The server's consent lacks the words of the WebSocket protocol.") }
    guard head["sec-websocket-accept"] == Self.acceptance(of: key) else {
      throw .malformed("The server did not prove that it has read the request for a WebSocket.")
    }
    guard head["sec-websocket-extensions"] == nil else {
      throw .malformed("The server wants to use an extension that was not offered.")
    }
    let chosen = head["sec-websocket-protocol"]
    if let chosen, !request.subprotocols.contains(chosen) {
      throw .malformed("The server chose a protocol that was not offered.")
    }
    return .accepted(subprotocol: chosen)
  }

  /// What proves that the server has read the key.
  static func acceptance(of key: String) -> String? {
    let bytes = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    guard let text = g_compute_checksum_for_data(G_CHECKSUM_SHA1, bytes, gsize(bytes.count)) else {
      return nil
    }
    defer { g_free(text) }
    let digits = String(cString: text)
    let sum = stride(from: 0, to: digits.utf8.count, by: 2).compactMap { offset in
      let start = digits.index(digits.startIndex, offsetBy: offset)
      return UInt8(digits[start...].prefix(2), radix: 16)
    }
    return Data(sum).base64EncodedString()
  }

  private static func check(_ field: HTTPHeaders.Field) throws(HTTPFailure) {
    guard isToken(field.name.utf8) else {
      throw .invalidRequest("A header field has a name that it must not have.")
    }
    let isClean =
      switch field.content {
      case .plain(let text): text.utf8.allSatisfy(isPrintable)
      case .secret(let prefix, let secret):
        prefix.utf8.allSatisfy(isPrintable) && secret.withBytes { $0.allSatisfy(isPrintable) }
      }
    guard isClean else {
      throw .invalidRequest("The header field \(field.name) holds control characters.")
    }
  }

  private static func isPrintable(_ byte: UInt8) -> Bool {
    byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
  }

  private static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

/// Status and fields of the answer.
private struct ResponseHead {
  let status: Int
  private var fields: [String: String] = [:]

  init(_ bytes: some Collection<UInt8>) throws(HTTPFailure) {
    // Latin 1, because that is what the bytes of a header mean.
    let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let lines = text.components(separatedBy: "\r\n")
    let start = lines[0].split(separator: " ", maxSplits: 2)
    guard start.count >= 2, start[0].hasPrefix("HTTP/1."), let status = Int(start[1]),
      (100...599).contains(status)
    else { throw .malformed("The server does not speak HTTP.") }
    self.status = status
    for line in lines.dropFirst() where !line.isEmpty {
      guard let colon = line.firstIndex(of: ":") else {
        throw .malformed("The head of the server's answer is not of the documented form.")
      }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      fields[name] = fields[name].map { "\($0), \(value)" } ?? value
    }
  }

  subscript(name: String) -> String? { fields[name] }

  var contentLength: Int? {
    fields["content-length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }
}

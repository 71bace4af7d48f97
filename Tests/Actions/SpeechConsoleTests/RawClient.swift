import Foundation

/// A client that sends requests which no browser would send.
final class RawClient: Sendable {
  struct Answer: Sendable {
    /// The status; `nil` if the connection was closed without a response.
    var status: Int?
    var head: String
    var body: String
  }

  private let socket: Int32

  /// Connects to the port.
  ///
  /// - Throws: `POSIXError`.
  init(port: Int, address: String = "127.0.0.1") throws {
    socket = Glibc.socket(
      address.contains(":") ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // Prevents a hang. Far longer than a busy machine needs.
    var timeout = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let status: Int32
    if address.contains(":") {
      var room = sockaddr_in6()
      room.sin6_family = sa_family_t(AF_INET6)
      room.sin6_port = in_port_t(port).bigEndian
      inet_pton(AF_INET6, address, &room.sin6_addr)
      status = withUnsafePointer(to: &room) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    } else {
      var room = sockaddr_in()
      room.sin_family = sa_family_t(AF_INET)
      room.sin_port = in_port_t(port).bigEndian
      inet_pton(AF_INET, address, &room.sin_addr)
      status = withUnsafePointer(to: &room) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    // The socket is initialised by now, and `deinit` closes it.
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit {
    close(socket)
  }

  /// Sends text. Returns false if the server has disconnected.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends bytes. Returns false if the server has disconnected.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Shuts down the sending side.
  func endSending() {
    shutdown(socket, Int32(SHUT_WR))
  }

  /// Reads the response, up to its length or to the end of the connection.
  func answer() async -> Answer {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in continuation.resume(returning: readAnswer()) }
    }
  }

  /// Returns true if the server disconnects, with or without further bytes.
  func hangsUp() async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        while let piece = read(), !piece.isEmpty {}
        continuation.resume(returning: errno != EAGAIN)
      }
    }
  }

  private func readAnswer() -> Answer {
    var data = Data()
    while let piece = read() {
      data.append(piece)
      if let whole = Self.whole(data) { return whole }
    }
    let text = String(decoding: data, as: UTF8.self)
    return Answer(status: nil, head: text, body: "")
  }

  private static func whole(_ data: Data) -> Answer? {
    let text = String(decoding: data, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let head = String(text[..<end.lowerBound])
    let body = String(text[end.upperBound...])
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    let length = head.lowercased().split(separator: "\r\n")
      .first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
    // A stream is not read to its end.
    guard body.utf8.count >= length ?? 0 else { return nil }
    return Answer(status: status, head: head, body: body)
  }

  private func read() -> Data? {
    var room = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &room, room.count, 0)
    return count > 0 ? Data(room[..<count]) : nil
  }
}

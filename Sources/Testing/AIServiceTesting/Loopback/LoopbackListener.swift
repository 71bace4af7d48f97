import Foundation
import SpeechConcurrency

/// The listening port of a server.
final class LoopbackListener: Sendable {
  let port: Int
  private let socket: Int32
  /// True if the socket's descriptor may have been reused.
  private let isClosed = Guarded(false)

  init() throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw Self.failure() }
    do {
      port = try Self.listen(socket)
    } catch {
      close(socket)
      throw error
    }
    self.socket = socket
  }

  private static func listen(_ socket: Int32) throws -> Int {
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, size) == 0 && Glibc.listen(socket, 1_024) == 0
          && getsockname(socket, address, &size) == 0
      }
    }
    guard isListening else { throw failure() }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func failure() -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }

  /// Accepts connections until the server is stopped.
  func run(_ state: LoopbackState) {
    while true {
      let connection = accept(socket, nil, nil)
      if connection < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        break
      }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      guard state.open(connection) else {
        close(connection)
        break
      }
    }
    isClosed.withLock { isClosed in
      isClosed = true
      close(socket)
    }
  }

  /// Ends `run`, which closes the socket.
  func stop() {
    isClosed.withLock { isClosed in
      if !isClosed { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }
}

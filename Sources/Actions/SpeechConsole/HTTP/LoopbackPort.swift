import CMicrohttpd
import Foundation

/// A port of the loopback addresses 127.0.0.1 and, if there is IPv6, ::1, which other machines
/// cannot reach.
struct LoopbackPort: ~Copyable {
  let number: Int
  private var sockets: [Int32]

  /// - Parameter number: The port; 0 for any free one.
  init(_ number: Int) throws(ConsoleError) {
    guard (0...65_535).contains(number) else {
      throw .noPort("\(number) is not a valid port. Choose one from 1024 to 65535.")
    }
    // A port that is free for one address family may be in use for the other.
    for _ in 0..<20 {
      let (four, bound) = try Self.listen(AF_INET, number)
      switch Result(catching: { () throws(ConsoleError) in try Self.listen(AF_INET6, bound) }) {
      case .success(let (six, _)):
        self.number = bound
        sockets = [four, six]
        return
      case .failure(.noPort):
        // There is no IPv6.
        self.number = bound
        sockets = [four]
        return
      case .failure(let error):
        close(four)
        if number != 0 { throw error }
      }
    }
    throw .noPort("No port is free for both 127.0.0.1 and ::1. Choose one with --port.")
  }

  deinit {
    for socket in sockets { close(socket) }
  }

  /// Returns the listening sockets, which the caller owns.
  consuming func take() -> [Int32] {
    let taken = sockets
    sockets = []
    return taken
  }

  private static func listen(
    _ family: Int32, _ number: Int
  ) throws(ConsoleError) -> (Int32, Int) {
    let socket = speechkit_tcp_socket(family)
    guard socket >= 0 else { throw failure(number) }
    var isOn: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    // Otherwise the port would be unavailable for a minute after a console ends.
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isOn, size)
    if family == AF_INET6 {
      setsockopt(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isOn, size)
    }
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    _ = getaddrinfo(family == AF_INET6 ? "::1" : "127.0.0.1", "\(number)", &hints, &found)
    defer { freeaddrinfo(found) }
    guard let address = found?.pointee.ai_addr, var length = found?.pointee.ai_addrlen,
      bind(socket, address, length) == 0, Glibc.listen(socket, 64) == 0,
      getsockname(socket, address, &length) == 0
    else {
      let error = failure(number)
      close(socket)
      throw error
    }
    // The port has the same position in both kinds of addresses.
    let bound = UnsafeRawPointer(address).load(fromByteOffset: 2, as: UInt16.self)
    return (socket, Int(UInt16(bigEndian: bound)))
  }

  private static func failure(_ number: Int) -> ConsoleError {
    let code = errno
    return code == EADDRINUSE
      ? .portTaken(number)
      : .noPort("Port \(number) cannot be opened: \(String(cString: strerror(code))).")
  }
}

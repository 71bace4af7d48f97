import CMicrohttpd
import Foundation

/// A port of the loopback addresses 127.0.0.1 and, if there is IPv6, ::1, which other machines
/// cannot reach.
struct LoopbackPort: ~Copyable {
  let number: Int
  private var sockets: [Int32]

  /// Opens a port.
  ///
  /// - Parameter number: The port; 0 for any free one.
  /// - Throws: `ConsoleError.portTaken`, `noPort`.
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
    var room = sockaddr_storage()
    var length: socklen_t
    if family == AF_INET6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_addr = in6addr_loopback
      address.sin6_port = in_port_t(number).bigEndian
      length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      memcpy(&room, &address, Int(length))
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      address.sin_port = in_port_t(number).bigEndian
      length = socklen_t(MemoryLayout<sockaddr_in>.size)
      memcpy(&room, &address, Int(length))
    }
    let isListening = withUnsafeMutablePointer(to: &room) { room in
      room.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && Glibc.listen(socket, 64) == 0
          && getsockname(socket, address, &length) == 0
      }
    }
    guard isListening else {
      let error = failure(number)
      close(socket)
      throw error
    }
    // The port has the same position in both kinds of addresses.
    let bound = withUnsafeBytes(of: &room) { $0.load(fromByteOffset: 2, as: UInt16.self) }
    return (socket, Int(UInt16(bigEndian: bound)))
  }

  private static func failure(_ number: Int) -> ConsoleError {
    let code = errno
    return code == EADDRINUSE
      ? .portTaken(number)
      : .noPort("Port \(number) cannot be opened: \(String(cString: strerror(code))).")
  }
}

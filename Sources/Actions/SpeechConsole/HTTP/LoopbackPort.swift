import CMicrohttpd
import Foundation

/// A port of this machine's own addresses, 127.0.0.1 and, where there is IPv6, ::1; nobody else can reach it.
struct LoopbackPort: ~Copyable {
  let number: Int
  private var sockets: [Int32]

  /// Takes a port.
  ///
  /// - Parameter number: which one; 0 for any that is free.
  /// - Throws: `ConsoleError.portTaken`, `noPort`.
  init(_ number: Int) throws(ConsoleError) {
    guard (0...65_535).contains(number) else {
      throw .noPort("\(number) is no port. Choose one from 1024 to 65535.")
    }
    // A free port of one family may be taken in the other.
    for _ in 0..<20 {
      let (four, bound) = try Self.listen(AF_INET, number)
      switch Result(catching: { () throws(ConsoleError) in try Self.listen(AF_INET6, bound) }) {
      case .success(let (six, _)):
        self.number = bound
        sockets = [four, six]
        return
      case .failure(.noPort):
        // No IPv6 here.
        self.number = bound
        sockets = [four]
        return
      case .failure(let error):
        close(four)
        if number != 0 { throw error }
      }
    }
    throw .noPort("No port is free for both 127.0.0.1 and ::1.")
  }

  deinit {
    for socket in sockets { close(socket) }
  }

  /// Gives the listening sockets away.
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
    // Else a console that has just ended would keep its port for a minute.
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
    // Both kinds of addresses have the port in the same place.
    let bound = withUnsafeBytes(of: &room) { $0.load(fromByteOffset: 2, as: UInt16.self) }
    return (socket, Int(UInt16(bigEndian: bound)))
  }

  private static func failure(_ number: Int) -> ConsoleError {
    let code = errno
    return code == EADDRINUSE
      ? .portTaken(number)
      : .noPort("Port \(number) cannot be listened on: \(String(cString: strerror(code))).")
  }
}

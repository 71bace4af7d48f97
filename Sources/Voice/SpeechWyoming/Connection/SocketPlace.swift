import Foundation

/// An address of the system to which a socket can be connected.
struct SocketPlace {
  /// The time limit of a connection, in milliseconds.
  private static let timeout: Int32 = 5_000

  private let family: Int32
  private var address = sockaddr_storage()
  private let length: socklen_t

  private init(_ family: Int32, _ bytes: UnsafeRawBufferPointer) {
    self.family = family
    length = socklen_t(bytes.count)
    withUnsafeMutableBytes(of: &address) { $0.copyMemory(from: bytes) }
  }

  /// The place of a socket in the file system.
  init(path: String, of engine: WyomingAddress) throws(WyomingError) {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8) + [0]
    guard bytes.count <= MemoryLayout.size(ofValue: name.sun_path) else {
      throw .notConnected(engine.description, reason: "the path of its socket is too long")
    }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    self = withUnsafeBytes(of: name) { SocketPlace(AF_UNIX, $0) }
  }

  /// The places of a host, which may take seconds.
  static func places(
    of host: String, _ port: Int, of engine: WyomingAddress
  ) throws(WyomingError) -> [SocketPlace] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      throw .notConnected(engine.description, reason: String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(list) }
    var places: [SocketPlace] = []
    var next = list
    while let entry = next?.pointee {
      if let address = entry.ai_addr, Int(entry.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size {
        places.append(
          SocketPlace(
            entry.ai_family,
            UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))))
      }
      next = entry.ai_next
    }
    return places
  }

  /// Connects a socket that does not block.
  func connect(
    for engine: WyomingAddress, unless wake: Int32, _ isClosing: () -> Bool
  ) throws(WyomingError) -> FileHandle {
    func failure(_ code: Int32) -> WyomingError {
      .notConnected(engine.description, reason: String(cString: strerror(code)))
    }
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let number = socket(family, Int32(kind), 0)
    guard number >= 0 else { throw failure(errno) }
    let handle = FileHandle(fileDescriptor: number, closeOnDealloc: true)
    var on: Int32 = 1
    if family != AF_UNIX {
      setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    let code = withUnsafeBytes(of: address) { bytes -> Int32 in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return 0 }
      return Foundation.connect(number, start, length) == 0 ? 0 : errno
    }
    guard code != 0 else { return handle }
    // A socket in the file system whose queue is full reports that it would block.
    guard code == EINPROGRESS else { throw failure(code) }
    let deadline = WyomingLink.Deadline(.milliseconds(Int(Self.timeout)))
    while true {
      var wishes = [
        pollfd(fd: number, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: isClosing() ? -1 : wake, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&wishes, 2, Int32(deadline.remaining / .milliseconds(1)))
      if isClosing() { throw failure(ECANCELED) }
      if count == 0 { throw failure(ETIMEDOUT) }
      guard count > 0, wishes[0].revents != 0 else {
        var byte: UInt8 = 0
        if wishes[1].revents != 0 { _ = read(wake, &byte, 1) }
        continue
      }
      var failed: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(number, SOL_SOCKET, SO_ERROR, &failed, &size)
      guard failed == 0 else { throw failure(failed) }
      return handle
    }
  }
}

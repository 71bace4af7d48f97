import Foundation
import SpeechConcurrency

/// The port of a server, and the state that its threads share.
final class LoopbackState: Sendable {
  struct Content {
    var queues: [String?: [ScriptedReply]] = [:]
    var responders: [String?: LoopbackServer.Responder] = [:]
    var earlyReplies: [String: ScriptedReply] = [:]
    var greeting: ScriptedReply?
    var requests: [RecordedRequest] = []
    var connections: [Int: LoopbackConnection] = [:]
    var accepted = 0
    var bytesSent = 0
    var bytesReceived = 0
    var isStopped = false
    /// True if the descriptor of the port may have been reused.
    var isClosed = false
  }

  let port: Int
  let changes = ChangeSignal()
  private let socket: Int32
  private let content = Guarded(Content())

  /// Listens on a free port.
  init() throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
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

  func read<Value: Sendable>(_ path: KeyPath<Content, Value>) -> Value {
    content.withLock { $0[keyPath: path] }
  }

  func change(_ body: (inout Content) -> Void) {
    content.withLock { body(&$0) }
    changes.notify()
  }

  /// Accepts connections until the server is stopped, each with a thread of its own.
  func run() {
    while let connection = accept() {
      changes.notify()
      Self.startThread { [self] in
        connection.serve()
        change { $0.connections[connection.number] = nil }
      }
    }
    content.withLock { content in
      content.isClosed = true
      close(socket)
    }
  }

  private func accept() -> LoopbackConnection? {
    var client: Int32
    repeat {
      client = Glibc.accept(socket, nil, nil)
    } while client < 0 && (errno == EINTR || errno == ECONNABORTED)
    guard client >= 0 else { return nil }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    return content.withLock { content in
      guard !content.isStopped else {
        close(client)
        return nil
      }
      content.accepted += 1
      let connection = LoopbackConnection(client, number: content.accepted, of: self)
      content.connections[content.accepted] = connection
      return connection
    }
  }

  /// Records the request and selects the reply.
  func reply(to request: RecordedRequest) -> ScriptedReply {
    let queued: ScriptedReply? = content.withLock { content in
      content.requests.append(request)
      for key in [request.path, nil] where content.queues[key]?.isEmpty == false {
        return content.queues[key]?.removeFirst()
      }
      return nil
    }
    changes.notify()
    if let queued { return queued }
    let responders = read(\.responders)
    return (responders[request.path] ?? responders[nil])?(request)
      ?? .text("The test has no reply for \(request.method) \(request.target).", status: 404)
  }

  /// Closes all connections, and ends `run`, which closes the port.
  func stop() {
    let connections = content.withLock { content in
      content.isStopped = true
      if !content.isClosed { shutdown(socket, Int32(SHUT_RDWR)) }
      return Array(content.connections.values)
    }
    for connection in connections { connection.stop() }
  }

  /// Starts a thread, which may block.
  static func startThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 512 << 10
    thread.start()
  }
}

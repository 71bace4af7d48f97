import CMicrohttpd
import Foundation
import SpeechConcurrency

/// An HTTP server on a loopback port, using libmicrohttpd.
///
/// The library has a thread for each address. Responses are computed in tasks while the connection
/// is suspended. A listener must be stopped before it is released.
final class HTTPListener: Sendable {
  private struct State {
    var daemons: [DaemonHandle] = []
    var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    var isStopping = false
  }

  /// Unchecked because a daemon is only stopped, once.
  private struct DaemonHandle: @unchecked Sendable { let pointer: OpaquePointer }

  private let handler: any RequestHandler
  private let limits: ConsoleLimits
  private let strangers: Strangers
  private let state = Guarded(State())

  /// Starts serving a port.
  init(
    _ port: consuming LoopbackPort, limits: ConsoleLimits, handler: any RequestHandler
  ) throws(ConsoleError) {
    self.handler = handler
    self.limits = limits
    strangers = Strangers(limit: limits.connections / 2)
    var sockets = port.take()
    while let socket = sockets.popLast() {
      guard let daemon = start(socket) else {
        for socket in sockets + [socket] { close(socket) }
        stop()
        throw .noServer
      }
      state.withLock { $0.daemons.append(DaemonHandle(pointer: daemon)) }
    }
  }

  /// Ends all work and closes the port. Waits for the library's threads, which never block on
  /// clients.
  func stop() {
    let (daemons, exchanges) = state.withLock { state in
      state.isStopping = true
      defer { state.daemons = [] }
      return (state.daemons, Array(state.exchanges.values))
    }
    // The library cannot stop while a connection is suspended.
    for exchange in exchanges { exchange.end() }
    for daemon in daemons { MHD_stop_daemon(daemon.pointer) }
  }

  private func start(_ socket: Int32) -> OpaquePointer? {
    let seconds = max(1, UInt32((limits.idleTime / .seconds(1)).rounded(.up)))
    // Unretained because the listener stops its daemons before it is released.
    return speechkit_mhd_start(
      socket,
      { context, connection, url, method, _, bytes, size, request in
        guard let context, let connection, let size, let request else { return .NO }
        let listener = Unmanaged<HTTPListener>.fromOpaque(context).takeUnretainedValue()
        return listener.proceed(
          ConnectionHandle(pointer: connection), url, method, bytes, size, request)
      },
      { context, _, request, _ in
        guard let context, let held = request?.pointee else { return }
        request?.pointee = nil
        let listener = Unmanaged<HTTPListener>.fromOpaque(context).takeUnretainedValue()
        listener.forget(Unmanaged<HTTPExchange>.fromOpaque(held).takeRetainedValue())
      },
      { context, connection, watch, code in
        guard let context, let connection, let watch else { return }
        let listener = Unmanaged<HTTPListener>.fromOpaque(context).takeUnretainedValue()
        listener.note(code, connection, watch)
      }, Unmanaged.passUnretained(self).toOpaque(), UInt32(limits.connections), 32_768, seconds)
  }

  // MARK: Callbacks

  private func note(
    _ code: MHD_ConnectionNotificationCode, _ connection: OpaquePointer,
    _ held: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) {
    if code == .CONNECTION_NOTIFY_STARTED {
      let watch = RequestWatch(
        speechkit_mhd_descriptor(connection), limit: limits.requestTime)
      watch.expect()
      strangers.add(watch)
      held.pointee = Unmanaged.passRetained(watch).toOpaque()
    } else if let pointer = held.pointee {
      held.pointee = nil
      let watch = Unmanaged<RequestWatch>.fromOpaque(pointer).takeRetainedValue()
      strangers.remove(watch)
      watch.close()
    }
  }

  private func proceed(
    _ connection: ConnectionHandle, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ bytes: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>,
    _ held: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let pointer = held.pointee else {
      guard let url, let method else { return .NO }
      let head = ConsoleRequest(
        method: String(cString: method), path: String(cString: url),
        headers: Self.headers(connection), token: Self.token(connection))
      return begin(head, connection, held)
    }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
    guard size.pointee > 0 else { return exchange.proceed(handler) }
    let isTaken = exchange.receive(UnsafeRawBufferPointer(start: bytes, count: size.pointee))
    size.pointee = 0
    return isTaken ? .YES : .NO
  }

  private func begin(
    _ head: ConsoleRequest, _ connection: ConnectionHandle,
    _ held: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    let watch = speechkit_mhd_socket_context(connection.pointer).map {
      Unmanaged<RequestWatch>.fromOpaque($0).takeUnretainedValue()
    }
    if let watch, handler.knows(head) { strangers.remove(watch) }
    let exchange = HTTPExchange(
      head, on: connection, watch: watch, bodyLimit: limits.body)
    held.pointee = Unmanaged.passRetained(exchange).toOpaque()
    let isStopping = state.withLock { state in
      if !state.isStopping { state.exchanges[ObjectIdentifier(exchange)] = exchange }
      return state.isStopping
    }
    if isStopping { return exchange.answer(.text(503, "The console is closing.")) }
    // The library closes the connection if the response precedes the body.
    if let answer = sizeRefusal(of: head) ?? handler.immediateAnswer(to: head) {
      return exchange.answer(answer)
    }
    return .YES
  }

  private func sizeRefusal(of head: ConsoleRequest) -> ConsoleResponse? {
    guard head.values("Transfer-Encoding").isEmpty else {
      return .text(411, "The Content-Length field is missing.")
    }
    let lengths = head.values("Content-Length")
    guard lengths.count <= 1 else { return .text(400, "There are several Content-Length fields.") }
    guard let text = lengths.first else { return nil }
    guard let length = Int(text), length >= 0 else {
      return .text(400, "The Content-Length field is not valid.")
    }
    return length > limits.body ? .text(413, "The body is too large.") : nil
  }

  private func forget(_ exchange: HTTPExchange) {
    state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    exchange.complete()
  }

  private static func headers(_ connection: ConnectionHandle) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    withUnsafeMutablePointer(to: &headers) { headers in
      _ = MHD_get_connection_values(
        connection.pointer, .HEADER_KIND,
        { context, _, name, value in
          guard let context, let name else { return .NO }
          context.assumingMemoryBound(to: [(name: String, value: String)].self).pointee
            .append((String(cString: name), value.map { String(cString: $0) } ?? ""))
          return .YES
        }, headers)
    }
    return headers
  }

  private static func token(_ connection: ConnectionHandle) -> String? {
    MHD_lookup_connection_value(connection.pointer, .GET_ARGUMENT_KIND, "token")
      .map { String(cString: $0) }
  }
}

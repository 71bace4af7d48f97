import CMicrohttpd
import Foundation
import SpeechConcurrency

/// A request and its response.
final class HTTPExchange: Sendable {
  private enum Phase {
    case receiving
    case working(Task<Void, Never>?)
    case ready(ConsoleResponse)
    case answered
  }

  private struct State {
    var request: ConsoleRequest
    var phase = Phase.receiving
    var aside = SetAside()
    var stream: ResponseStream?
    var isOver = false
  }

  private let connection: ConnectionHandle
  private let watch: RequestWatch?
  private let bodyLimit: Int
  private let state: Guarded<State>

  init(
    _ head: ConsoleRequest, on connection: ConnectionHandle, watch: RequestWatch?, bodyLimit: Int
  ) {
    self.connection = connection
    self.watch = watch
    self.bodyLimit = bodyLimit
    state = Guarded(State(request: head))
  }

  private var stream: ResponseStream? { state.withLock { $0.stream } }

  /// Appends a piece of the body. Returns false if the body is larger than declared or allowed.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      guard state.request.body.count + bytes.count <= bodyLimit else { return false }
      state.request.body.append(contentsOf: bytes)
      return true
    }
  }

  /// Processes a complete request, or sends a response that is ready.
  func proceed(_ handler: any RequestHandler) -> MHD_Result {
    watch?.satisfy()
    let (request, response) = state.withLock { state -> (ConsoleRequest?, ConsoleResponse?) in
      switch state.phase {
      case .receiving:
        // A connection that is suspended now would never be resumed.
        guard !state.isOver else { return (nil, .text(503, "The console is closing.")) }
        state.phase = .working(nil)
        state.aside.set(connection)
        return (state.request, nil)
      case .working:
        // Resumed without a response.
        return (nil, .text(503, "The console is closing."))
      case .ready(let response):
        state.phase = .answered
        return (nil, response)
      case .answered: return (nil, nil)
      }
    }
    if let request {
      let task = Task { [self] in finish(await handler.response(to: request)) }
      let isOver = state.withLock { state in
        if case .working = state.phase { state.phase = .working(task) }
        return state.isOver
      }
      if isOver { task.cancel() }
      return .YES
    }
    guard let response else { return .NO }
    return answer(response)
  }

  private func finish(_ response: ConsoleResponse) {
    let isUnwanted = state.withLock { state in
      guard !state.isOver, case .working = state.phase else { return true }
      state.phase = .ready(response)
      state.aside.takeUp()
      return false
    }
    if isUnwanted, case .stream(let stream) = response.body { stream.end() }
  }

  func answer(_ response: ConsoleResponse) -> MHD_Result {
    let made: OpaquePointer?
    switch response.body {
    case .data(let data):
      made = data.withUnsafeBytes { bytes in
        // The library only reads the buffer, which it copies.
        MHD_create_response_from_buffer(
          bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
          .RESPMEM_MUST_COPY)
      }
    case .stream(let stream):
      let isOver = state.withLock { state in
        state.stream = stream
        return state.isOver
      }
      if isOver { stream.end() }
      made = MHD_create_response_from_callback(
        speechkit_mhd_size_unknown, 4_096,
        { context, _, room, size in
          guard let context, let room else { return speechkit_mhd_end_of_stream }
          let exchange = Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
          return exchange.stream?.read(into: room, size, of: exchange.connection)
            ?? speechkit_mhd_end_of_stream
        }, Unmanaged.passRetained(self).toOpaque(),
        { context in
          guard let context else { return }
          Unmanaged<HTTPExchange>.fromOpaque(context).takeRetainedValue().stream?.end()
        })
    }
    guard let made else { return .NO }
    defer { MHD_destroy_response(made) }
    for header in response.headers + ConsoleResponse.safety {
      MHD_add_response_header(made, header.name, header.value)
    }
    return MHD_queue_response(connection.pointer, UInt32(response.status), made)
  }

  /// Cancels the work because the client has left, or the console closes.
  func end() {
    let (task, stream) = state.withLock { state -> (Task<Void, Never>?, ResponseStream?) in
      state.isOver = true
      var task: Task<Void, Never>?
      if case .working(let running) = state.phase { task = running }
      state.aside.takeUp()
      return (task, state.stream)
    }
    task?.cancel()
    stream?.end()
  }

  /// The library has finished the request, and may read another one from the connection.
  func complete() {
    end()
    watch?.expect()
  }
}

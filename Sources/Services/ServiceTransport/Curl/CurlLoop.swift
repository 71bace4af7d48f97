import CCurl
import Foundation
import SpeechConcurrency

/// The thread that runs all transfers and WebSockets of a transport, and its command queue.
///
/// It ends when the transport is released and idle, or has been idle until all kept connections
/// expired. A transport that is used again starts another.
final class CurlLoop: Sendable {
  enum Command: Sendable {
    case start(CurlStart)
    case resume(Int)
    case stop(Int)
    case serve(WebSocketChannel)
  }

  private struct State {
    var commands: [Command] = []
    var lastID = 0
    var isReleased = false
    var isOver = false
  }

  private let state = Guarded(State())
  private let options: CurlOptions
  // Unsafe because only the thread uses it, except for waking the thread, which is allowed from
  // anywhere and is done while holding the lock, before `isOver`.
  private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  /// Creates a loop without starting its thread.
  init(_ options: CurlOptions) throws(HTTPFailure) {
    guard CurlLibrary.isReady, let multi = speechkit_curl_multi_init() else {
      throw .unreachable("libcurl does not start; install the package libcurl4")
    }
    self.multi = multi
    self.options = options
    // Idle connections are descriptors that the rest of the program may need.
    _ = speechkit_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 32)
  }

  /// Starts the thread, which ends when it is idle; call this after the first transfer was
  /// enqueued. If no thread can be started, the loop is over.
  func launch() throws(HTTPFailure) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let this = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { this in
        if let this { Unmanaged<CurlLoop>.fromOpaque(this).takeRetainedValue().run() }
        return nil
      }, this.toOpaque())
    guard code == 0 else {
      this.release()
      state.withLock { $0.isOver = true }
      speechkit_curl_multi_cleanup(multi)
      throw .unreachable("no thread can be started: \(String(cString: strerror(code)))")
    }
  }

  // MARK: From anywhere

  /// Starts a transfer. Returns false if the thread has ended.
  func start(_ request: HTTPRequest, host: String, _ exchange: CurlExchange) -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      state.lastID += 1
      guard exchange.attach(to: self, as: state.lastID) else { return true }
      enqueue(
        .start(CurlStart(id: state.lastID, request: request, host: host, exchange: exchange)),
        &state)
      return true
    }
  }

  /// Enqueues a command for the thread. Returns false if the thread has ended.
  @discardableResult
  func post(_ command: Command) -> Bool {
    state.withLock { state in
      if !state.isOver { enqueue(command, &state) }
      return !state.isOver
    }
  }

  /// Makes the thread check its WebSockets.
  func wake() {
    state.withLock { state in
      if !state.isOver { speechkit_curl_multi_wakeup(multi) }
    }
  }

  /// Lets the thread end once it is idle.
  func release() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isReleased = true
      speechkit_curl_multi_wakeup(multi)
    }
  }

  private func enqueue(_ command: Command, _ state: inout State) {
    if state.commands.isEmpty { speechkit_curl_multi_wakeup(multi) }
    state.commands.append(command)
  }

  // MARK: On the thread

  private func run() {
    // Signals are for the program's own threads; a peer that hangs up must not end the program.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    let worker = CurlWorker(multi, options)
    while let commands = nextCommands(for: worker) {
      for command in commands { worker.obey(command) }
      // Not after a command, which may have been the last work before the end.
      if commands.isEmpty { worker.wait() }
      worker.advance()
    }
    speechkit_curl_multi_cleanup(multi)
  }

  /// The next commands; `nil` to end the thread.
  private func nextCommands(for worker: CurlWorker) -> [Command]? {
    state.withLock { state in
      if state.commands.isEmpty, worker.isIdle, state.isReleased || worker.isOutdated {
        state.isOver = true
        return nil
      }
      defer { state.commands = [] }
      return state.commands
    }
  }
}

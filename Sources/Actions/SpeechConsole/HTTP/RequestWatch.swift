import Foundation
import SpeechConcurrency

/// Disconnects a client that takes too long to send a request. The library's own timeout restarts
/// with each byte.
final class RequestWatch: Sendable {
  private static let queue = DispatchQueue(label: "speechkit.console.watch")

  private struct State {
    var round = 0
    var isWaiting = false
    var isClosed = false
  }

  private let socket: Int32
  private let limit: Duration
  private let state = Guarded(State())

  init(_ socket: Int32, limit: Duration) {
    self.socket = socket
    self.limit = limit
  }

  /// Starts the timeout for the next request.
  func expect() {
    let round = state.withLock { state in
      state.round += 1
      state.isWaiting = true
      return state.round
    }
    Self.queue.asyncAfter(deadline: .now() + (limit / .seconds(1))) { [weak self] in
      self?.judge(round)
    }
  }

  /// Stops the timeout, because the request is complete.
  func satisfy() {
    state.withLock { $0.isWaiting = false }
  }

  /// Stops before the connection is closed, because its descriptor may then be reused.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Disconnects the client now.
  func disconnect() {
    state.withLock { state in
      if !state.isClosed { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  private func judge(_ round: Int) {
    state.withLock { state in
      guard state.isWaiting, !state.isClosed, state.round == round else { return }
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }
}

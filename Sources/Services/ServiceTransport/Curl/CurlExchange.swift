import Foundation
import SpeechConcurrency

/// The state of one exchange, shared by a task and the transport's thread: the thread adds what the
/// server sends, and the task takes it.
final class CurlExchange: Sendable {
  struct Head: Sendable {
    var status: Int
    var headers: HTTPHeaders
  }

  /// The result of delivering bytes from the thread.
  enum Delivery {
    case taken
    /// Too many bytes are unread; deliver these again after a resume command.
    case refused
    /// The task has abandoned the response.
    case abandoned
  }

  /// The number of unread bytes at which receiving pauses: several of libcurl's buffers, because
  /// pausing and resuming takes longer than receiving.
  static let unreadLimit = 4 * CurlEasyHandle.bufferSize

  private struct State {
    var head: Head?
    var headWaiter: CheckedContinuation<Head, any Error>?
    var unread = Data()
    var reader: CheckedContinuation<Data?, any Error>?
    var hasRefused = false
    var end: Result<Void, HTTPFailure>?
    var isAbandoned = false
    /// The receiver of resume and stop commands while the transfer is active.
    var transfer: (loop: CurlLoop, id: Int)?
  }

  private let state = Guarded(State())

  // MARK: The task's side

  /// Starts the transfer and waits for the head of the response.
  func head(
    starting start: @escaping @Sendable () throws(HTTPFailure) -> Void
  ) async throws -> Head {
    try await ExternalWork.run { try await self.receiveHead(starting: start) }
  }

  private func receiveHead(
    starting start: @Sendable () throws(HTTPFailure) -> Void
  ) async throws -> Head {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isAbandoned = state.withLock { state in
          if !state.isAbandoned { state.headWaiter = continuation }
          return state.isAbandoned
        }
        guard !isAbandoned else { return continuation.resume(throwing: CancellationError()) }
        do throws(HTTPFailure) {
          try start()
        } catch {
          finish(.failure(error))
        }
      }
    } onCancel: {
      abandon()
    }
  }

  /// The next bytes of the body; `nil` at its end.
  func nextPiece(isolation actor: isolated (any Actor)?) async throws -> Data? {
    guard ExternalWork.isInVirtualTime else { return try await receivePiece(isolation: actor) }
    // The number of pieces depends on the network, and so would the order of what follows them.
    return try await ExternalWork.run { try await self.receiveRest() }
  }

  /// All bytes of the body that are still to come, `nil` if there are none.
  private func receiveRest() async throws -> Data? {
    var rest = Data()
    do {
      while let piece = try await receivePiece(isolation: nil) { rest.append(piece) }
    } catch let error as HTTPFailure {
      // It is thrown at the next call, which finds the same end.
      if rest.isEmpty { throw error }
    }
    return rest.isEmpty ? nil : rest
  }

  private func receivePiece(isolation actor: isolated (any Actor)?) async throws -> Data? {
    try await withTaskCancellationHandler {
      if let result = takeUnread() { return try result.get() }
      return try await withCheckedThrowingContinuation { continuation in
        let result = takeUnread(orWaitWith: continuation)
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      abandon()
    }
  }

  /// The bytes available now; `nil` if there are none yet.
  private func takeUnread(
    orWaitWith reader: CheckedContinuation<Data?, any Error>? = nil
  ) -> Result<Data?, any Error>? {
    var paused: (loop: CurlLoop, id: Int)?
    let result: Result<Data?, any Error>? = state.withLock { state in
      if state.isAbandoned { return .failure(CancellationError()) }
      if !state.unread.isEmpty {
        if state.hasRefused { paused = state.transfer }
        defer { (state.unread, state.hasRefused) = (Data(), false) }
        return .success(state.unread)
      }
      switch state.end {
      case .success: return .success(nil)
      case .failure(let failure): return .failure(failure)
      case nil: break
      }
      guard state.reader == nil else {
        return .failure(HTTPFailure.invalidRequest("The body is being read by another task."))
      }
      state.reader = reader
      return nil
    }
    if let paused { paused.loop.post(.resume(paused.id)) }
    return result
  }

  /// Abandons the response and closes the connection.
  func abandon() {
    let (headWaiter, reader, transfer) = state.withLock { state in
      state.isAbandoned = true
      state.unread = Data()
      defer { (state.headWaiter, state.reader, state.transfer) = (nil, nil, nil) }
      return (state.headWaiter, state.reader, state.transfer)
    }
    if let transfer { transfer.loop.post(.stop(transfer.id)) }
    headWaiter?.resume(throwing: CancellationError())
    reader?.resume(throwing: CancellationError())
  }

  // MARK: The thread's side

  var isAbandoned: Bool { state.withLock(\.isAbandoned) }

  /// Sets the receiver of commands. Returns false if the response has been abandoned.
  func attach(to loop: CurlLoop, as id: Int) -> Bool {
    state.withLock { state in
      if !state.isAbandoned { state.transfer = (loop, id) }
      return !state.isAbandoned
    }
  }

  func deliver(_ head: Head) {
    let waiter = state.withLock { state in
      state.head = head
      defer { state.headWaiter = nil }
      return state.headWaiter
    }
    waiter?.resume(returning: head)
  }

  /// Adds bytes to the unread ones. A waiting task is given them by `wakeReader`.
  func deliver(_ bytes: UnsafeRawBufferPointer) -> Delivery {
    state.withLock { state in
      if state.isAbandoned { return .abandoned }
      if state.unread.count >= Self.unreadLimit {
        state.hasRefused = true
        return .refused
      }
      state.unread.append(contentsOf: bytes)
      return .taken
    }
  }

  /// Gives the unread bytes to a waiting task: all that has arrived at once, because each wake-up
  /// takes longer than the work that a few bytes cause.
  func wakeReader() {
    var paused: (loop: CurlLoop, id: Int)?
    let (reader, piece) = state.withLock { state in
      guard let reader = state.reader, !state.unread.isEmpty else {
        return (CheckedContinuation<Data?, any Error>?.none, Data())
      }
      if state.hasRefused { paused = state.transfer }
      defer { (state.reader, state.unread, state.hasRefused) = (nil, Data(), false) }
      return (reader, state.unread)
    }
    if let paused { paused.loop.post(.resume(paused.id)) }
    reader?.resume(returning: piece)
  }

  /// Ends the transfer with its result.
  func finish(_ end: Result<Void, HTTPFailure>) {
    wakeReader()
    let (headWaiter, reader) = state.withLock { state in
      if state.end == nil { state.end = end }
      defer { (state.headWaiter, state.reader, state.transfer) = (nil, nil, nil) }
      return (state.headWaiter, state.reader)
    }
    switch end {
    case .success:
      headWaiter?.resume(throwing: HTTPFailure.malformed("The server sent no response."))
      reader?.resume(returning: nil)
    case .failure(let failure):
      headWaiter?.resume(throwing: failure)
      reader?.resume(throwing: failure)
    }
  }
}

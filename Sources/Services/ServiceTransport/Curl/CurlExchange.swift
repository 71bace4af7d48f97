import Foundation
import SpeechConcurrency

/// What a task and the transport's thread share of one exchange: the thread puts in what the server
/// sends, the task takes it out.
final class CurlExchange: Sendable {
  struct Head: Sendable {
    var status: Int
    var headers: HTTPHeaders
  }

  /// What became of bytes that the thread brought.
  enum Delivery {
    case taken
    /// Enough wait unread; bring them again when told to resume.
    case refused
    /// Nobody wants them any more.
    case abandoned
  }

  /// The bytes that may wait unread before the server has to wait.
  static let unreadLimit = 64 << 10

  private struct State {
    var head: Head?
    var headWaiter: CheckedContinuation<Head, any Error>?
    var unread = Data()
    var reader: CheckedContinuation<Data?, any Error>?
    var hasRefused = false
    var end: Result<Void, HTTPFailure>?
    var isAbandoned = false
    /// Who is told about resumption and abandonment, while the transfer is under way.
    var transfer: (loop: CurlLoop, id: Int)?
  }

  private let state = Guarded(State())

  // MARK: The task's side

  /// Starts the transfer and waits for the head of the response.
  func head(starting start: @Sendable () throws(HTTPFailure) -> Void) async throws -> Head {
    OutsideWork.begin()
    defer { OutsideWork.end() }
    return try await withTaskCancellationHandler {
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

  /// The next bytes of the body, `nil` at its end.
  func nextPiece(isolation actor: isolated (any Actor)?) async throws -> Data? {
    try await withTaskCancellationHandler {
      if let result = takeUnread() { return try result.get() }
      OutsideWork.begin()
      defer { OutsideWork.end() }
      return try await withCheckedThrowingContinuation { continuation in
        let result = takeUnread(orWaitWith: continuation)
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      abandon()
    }
  }

  /// What can be given at once, `nil` if that is nothing yet.
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

  /// Says that nobody wants the response any more. The connection is closed.
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

  /// Says where to turn to while the transfer is under way. `false` if nobody wants it any more.
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

  func deliver(_ bytes: UnsafeRawBufferPointer) -> Delivery {
    let (delivery, reader): (Delivery, CheckedContinuation<Data?, any Error>?) = state.withLock {
      state in
      if state.isAbandoned { return (.abandoned, nil) }
      if let reader = state.reader {
        state.reader = nil
        return (.taken, reader)
      }
      if state.unread.count >= Self.unreadLimit {
        state.hasRefused = true
        return (.refused, nil)
      }
      state.unread.append(contentsOf: bytes)
      return (.taken, nil)
    }
    reader?.resume(returning: Data(bytes))
    return delivery
  }

  /// Says that the transfer is over, well or not.
  func finish(_ end: Result<Void, HTTPFailure>) {
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

import AIServices
import SpeechConcurrency

/// The pending replies by the key of their request.
final class PendingReplies<Key: Hashable & Sendable, Reply: Sendable>: Sendable {
  private enum Slot {
    /// The request is being sent; no task waits yet.
    case expected
    case waiting(CheckedContinuation<Reply, any Error>)
    /// The reply arrived before the task waited for it.
    case answered(Result<Reply, any Error>)
  }

  private let slots = Guarded<[Key: Slot]>([:])

  init() {}

  /// Prepares for a reply. Call this before sending the request.
  func expect(_ key: Key) {
    slots.withLock { $0[key] = .expected }
  }

  /// Waits for the reply to a prepared request.
  ///
  /// - Throws: the error of the request; `CancellationError` when the task is cancelled, and the
  ///   reply is discarded then.
  func wait(for key: Key) async throws -> Reply {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = slots.withLock { slots -> Result<Reply, any Error>? in
          switch slots[key] {
          case .expected:
            slots[key] = .waiting(continuation)
            return nil
          case .answered(let result):
            slots[key] = nil
            return result
          case .waiting, nil: return .failure(CancellationError())
          }
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      forget(key)
    }
  }

  /// Delivers a reply. Returns false if it was not expected.
  @discardableResult
  func resolve(_ key: Key, _ result: Result<Reply, any Error>) -> Bool {
    let (isWanted, waiting) = slots.withLock {
      slots -> (Bool, CheckedContinuation<Reply, any Error>?) in
      switch slots[key] {
      case .expected:
        slots[key] = .answered(result)
        return (true, nil)
      case .waiting(let continuation):
        slots[key] = nil
        return (true, continuation)
      case .answered, nil: return (false, nil)
      }
    }
    waiting?.resume(with: result)
    return isWanted
  }

  /// Discards a reply. A waiting task throws `CancellationError`.
  func forget(_ key: Key) {
    let slot = slots.withLock { $0.removeValue(forKey: key) }
    if case .waiting(let continuation) = slot { continuation.resume(throwing: CancellationError()) }
  }

  /// Fails all expected replies.
  func failAll(_ error: any Error) {
    for key in slots.withLock({ Array($0.keys) }) { resolve(key, .failure(error)) }
  }

  /// The number of expected replies.
  var count: Int { slots.withLock(\.count) }
}

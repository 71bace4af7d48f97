import AIServices
import SpeechConcurrency

/// Those who wait for an answer, by the name of their question.
final class PendingReplies<Key: Hashable & Sendable, Reply: Sendable>: Sendable {
  private enum Slot {
    /// The question goes out; nobody waits yet.
    case expected
    case waiting(CheckedContinuation<Reply, any Error>)
    /// The answer was faster than the one who asked.
    case answered(Result<Reply, any Error>)
  }

  private let slots = Guarded<[Key: Slot]>([:])

  init() {}

  /// Prepares for an answer, to be called before the question is sent.
  func expect(_ key: Key) {
    slots.withLock { $0[key] = .expected }
  }

  /// Waits for the answer to a question that was prepared for.
  ///
  /// - Throws: what the question failed with; `CancellationError` when the task is cancelled. The answer is
  ///   not expected any more then.
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

  /// Hands the answer over. Says whether anybody wanted it.
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

  /// The answer is of no interest any more; whoever waits for it is told that the task was cancelled.
  func forget(_ key: Key) {
    let slot = slots.withLock { $0.removeValue(forKey: key) }
    if case .waiting(let continuation) = slot { continuation.resume(throwing: CancellationError()) }
  }

  /// No answer will come any more.
  func failAll(_ error: any Error) {
    for key in slots.withLock({ Array($0.keys) }) { resolve(key, .failure(error)) }
  }

  /// How many answers are expected.
  var count: Int { slots.withLock(\.count) }
}

import Foundation
import SpeechConcurrency

/// The changes that many tasks of this program make to one shared file, written together: what came while the
/// file was busy goes into it in one step, so that a hundred changes do not wait for the disk a hundred times.
final class SharedChanges<Content: Sendable>: Sendable {
  private struct Change: Sendable {
    let number: Int
    let apply: @Sendable (inout Content) -> Void
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var nextNumber = 0
    var waiting: [Change] = []
    /// Those that the present step writes.
    var taken: [Change] = []
    var isWriting = false
  }

  private let file: SharedFile
  private let decode: @Sendable (Data?) throws -> Content
  private let encode: @Sendable (Content) throws -> Data
  private let state = Guarded(State())

  /// How many changes wait for the file.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Changes of a file.
  ///
  /// - Parameters:
  ///   - decode: what the file says; `nil` is for one that is not there yet.
  ///   - encode: the file that says it.
  init(
    _ file: SharedFile, decode: @escaping @Sendable (Data?) throws -> Content,
    encode: @escaping @Sendable (Content) throws -> Data
  ) {
    self.file = file
    self.decode = decode
    self.encode = encode
  }

  /// Changes what the file says, and returns when it is written.
  ///
  /// - Throws: `ActionError.storage`; what reading and writing throw; `CancellationError`, and nothing is
  ///   changed, if the task is cancelled while it waits for the file.
  func change<Result: Sendable>(
    _ body: @escaping @Sendable (inout Content) -> Result
  ) async throws -> Result {
    let result = Guarded<Result?>(nil)
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let apply: @Sendable (inout Content) -> Void = { content in
          let found = body(&content)
          result.withLock { $0 = found }
        }
        add(Change(number: number, apply: apply, continuation: continuation))
        // Who was cancelled before it waited is not told of it later.
        if Task.isCancelled { drop(number) }
      }
    } onCancel: {
      drop(number)
    }
    guard let found = result.withLock({ $0 }) else { throw CancellationError() }
    return found
  }

  private func add(_ change: Change) {
    let begins = state.withLock { state in
      state.waiting.append(change)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if begins { Task { await write() } }
  }

  private func drop(_ number: Int) {
    let change = state.withLock { state -> Change? in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting.remove(at: index)
    }
    change?.continuation.resume(throwing: CancellationError())
  }

  private func write() async {
    repeat {
      do {
        try await file.change { data in
          var content = try decode(data)
          // Called again, it makes the same changes, and those that came since.
          let changes = state.withLock { state in
            state.taken += state.waiting
            state.waiting = []
            return state.taken
          }
          for change in changes { change.apply(&content) }
          return ((), try encode(content))
        }
        end { state in
          state.taken
        } with: {
          $0.resume()
        }
      } catch {
        // Those that came meanwhile could be written no better.
        end { state in
          defer { state.waiting = [] }
          return state.taken + state.waiting
        } with: {
          $0.resume(throwing: error)
        }
      }
    } while goesOn()
  }

  private func end(
    _ choose: (inout State) -> [Change], with tell: (CheckedContinuation<Void, any Error>) -> Void
  ) {
    let changes = state.withLock { state in
      let chosen = choose(&state)
      state.taken = []
      return chosen
    }
    for change in changes { tell(change.continuation) }
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      state.isWriting = !state.waiting.isEmpty
      return state.isWriting
    }
  }
}

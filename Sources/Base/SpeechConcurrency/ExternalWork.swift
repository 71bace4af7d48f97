/// Work outside of the program: an exchange over a socket, a child process, a database, a timer of
/// the system.
///
/// Outside of tests it is just performed. In a conversation that is held in virtual time, it is
/// performed outside of it, in real time, while virtual time stands still. The conversation
/// continues with the result as if the work had taken no time, so it has the same outcome on slow
/// and fast machines.
///
/// ```swift
/// struct Weather: Responder {
///   func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
///     .pieces { pieces in
///       let report = try await ExternalWork.run { try await station.report(for: turn.text) }
///       pieces.yield(.text(report))
///     }
///   }
/// }
/// ```
///
/// Several pieces of work may be under way at once. The conversation continues with their results
/// in the order in which they were begun, whichever ends first. Work that waits for other work must
/// therefore be part of the same call.
public enum ExternalWork {
  /// Performs the work and returns its result.
  ///
  /// - Parameter work: the work. It is cancelled together with the calling task.
  /// - Throws: the error that the work throws.
  nonisolated(nonsending) public static func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await perform(isPause: false, work)
  }

  /// Waits for a clock of the machine, such as before an attempt to repeat a request.
  ///
  /// Unlike other work it does not delay the results of work that was begun later, so it may limit
  /// the time of such work.
  nonisolated(nonsending) package static func pause(
    _ wait: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await perform(isPause: true, wait)
  }

  /// Runs the body so that the tasks that it creates or resumes are not of a virtual world.
  package static func outside(_ body: () -> Void) {
    if let order = TaskOrders.current { order.outside(body) } else { body() }
  }

  /// True in tasks of a virtual world.
  package static var isInVirtualTime: Bool { TaskOrders.current?.isCurrent ?? false }

  nonisolated(nonsending) private static func perform<Value: Sendable>(
    isPause: Bool, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let order = TaskOrders.current, order.isCurrent else { return try await work() }
    let task = ExternalTask(order, isPause: isPause)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        task.start(work) { continuation.resume(with: $0) }
      }
    } onCancel: {
      task.cancel()
    }
  }
}

/// A task that performs external work.
private final class ExternalTask: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  private let order: any TaskOrder
  private let number: Int
  private let state = Guarded(State())

  init(_ order: any TaskOrder, isPause: Bool) {
    self.order = order
    number = order.beginExternalWork(isPause: isPause)
  }

  func start<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value,
    then resume: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    order.outside {
      let task = Task { [order, number] in
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        order.endExternalWork(number) { resume(result) }
      }
      let isCancelled = state.withLock { state in
        state.task = task
        return state.isCancelled
      }
      if isCancelled { task.cancel() }
    }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    order.outside { task?.cancel() }
  }
}

/// Runs the body with a time limit on the clock.
///
/// - Throws: errors of the body; `error` when the time is over, after cancelling the body.
package func within<Value: Sendable>(
  _ limit: Duration, on clock: any Clock<Duration>, orThrow error: any Error,
  _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await body() }
    group.addTask {
      try await clock.sleep(for: limit)
      throw error
    }
    guard let value = try await group.next() else { throw CancellationError() }
    return value
  }
}

extension Clock where Duration == Swift.Duration {
  /// Returns a function that gives the time since this call.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}

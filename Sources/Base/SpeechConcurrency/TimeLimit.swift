/// Runs the body, but for no longer than that on the clock.
///
/// - Throws: what the body throws; `error` when the time is over, and then the body is cancelled.
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
  /// Measures time from now on.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}

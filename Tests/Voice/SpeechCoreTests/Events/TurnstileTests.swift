import Testing

@testable import SpeechCore

@MainActor
struct TurnstileTests {
  @Test func `callers are admitted in their order`() async throws {
    let turnstile = Turnstile()
    try await turnstile.enter()
    let order = Recorder<Int>()
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      tasks.append(
        Task {
          try await turnstile.enter()
          order.add(number)
          turnstile.leave()
        })
      await Task.yield()
    }
    turnstile.leave()
    for task in tasks { try await task.value }
    #expect(order.values == Array(0..<20))
  }

  @Test func `a cancelled caller leaves the queue and the others continue`() async throws {
    let turnstile = Turnstile()
    try await turnstile.enter()
    let cancelled = Task { try await turnstile.enter() }
    let patient = Task {
      try await turnstile.enter()
      turnstile.leave()
    }
    await Task.yield()
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    turnstile.leave()
    try await patient.value
    try await turnstile.enter()
  }

  @Test func `dismissing cancels all waiting callers`() async throws {
    let turnstile = Turnstile()
    try await turnstile.enter()
    let waiters = (0..<3).map { _ in Task { try await turnstile.enter() } }
    for _ in 0..<10 { await Task.yield() }
    turnstile.dismissAll()
    for waiter in waiters {
      await #expect(throws: CancellationError.self) { try await waiter.value }
    }
    turnstile.leave()
    try await turnstile.enter()
  }

  @Test func `a caller that is dismissed right after its admission does not continue`()
    async throws
  {
    let turnstile = Turnstile()
    try await turnstile.enter()
    let waiter = Task { try await turnstile.enter() }
    for _ in 0..<10 { await Task.yield() }
    turnstile.leave()
    turnstile.dismissAll()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    try await turnstile.enter()
  }
}

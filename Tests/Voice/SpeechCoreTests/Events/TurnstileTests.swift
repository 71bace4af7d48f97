import Testing

@testable import SpeechCore

@MainActor
struct TurnstileTests {
  @Test func `turns come in the order of asking`() async throws {
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

  @Test func `a cancelled waiter leaves the queue and the others go on`() async throws {
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

  @Test func `dismissing sends all waiters away and the turnstile stays in use`() async throws {
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

  @Test func `who was let in and then dismissed before getting there does not go on`()
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

import AIServiceTesting
import Foundation
import SpeechConcurrency
import TestSupport
import Testing

@testable import AIServices

struct RequestGateTests {
  private let clock = SkippingClock()

  private func gate(_ limits: ServiceLimits) -> RequestGate {
    RequestGate(limits: limits, clock: ServiceClock(clock))
  }

  @Test func `requests enter in order`() async throws {
    let gate = gate(ServiceLimits(concurrentRequests: 1))
    try await gate.enter()
    let order = Guarded<[Int]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await gate.enter()
          order.withLock { $0.append(number) }
          gate.leave()
        }
        // Continue when this one is in the queue.
        while gate.waiting <= number { await Task.yield() }
      }
      #expect(order.withLock { $0.isEmpty })
      gate.leave()
      try await group.waitForAll()
    }
    #expect(order.withLock { $0 } == Array(0..<100))
    #expect(gate.waiting == 0)
  }

  @Test func `the limit is never exceeded, and all requests pass`() async throws {
    let gate = gate(ServiceLimits(concurrentRequests: 7))
    let inside = Guarded((now: 0, most: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2_000 {
        group.addTask {
          try await gate.enter()
          inside.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
          }
          for _ in 0..<3 { await Task.yield() }
          inside.withLock { $0.now -= 1 }
          gate.leave()
        }
      }
      try await group.waitForAll()
    }
    let most = inside.withLock { $0.most }
    #expect((1...7).contains(most))
    #expect(inside.withLock { $0.now } == 0)
  }

  @Test func `the limit per minute is never exceeded`() async throws {
    let gate = gate(ServiceLimits(requestsPerMinute: 3))
    var entries: [Duration] = []
    for number in 0..<10 {
      try await gate.enter()
      gate.leave()
      entries.append(clock.now.offset)
      if number == 4 { clock.advance(by: .seconds(20)) }
    }
    for (earlier, later) in zip(entries, entries.dropFirst(3)) {
      #expect(later - earlier >= .seconds(60))
    }
    #expect(clock.now.offset <= .seconds(200))
  }

  @Test func `a pause delays all requests`() async throws {
    let gate = gate(ServiceLimits())
    gate.close(for: .seconds(5))
    gate.close(for: .seconds(2))
    try await gate.enter()
    #expect(clock.now.offset == .seconds(5))
    try await gate.enter()
    #expect(clock.waits == [.seconds(5)])
  }

  @Test func `a cancelled request leaves the queue and delays no other`()
    async throws
  {
    let gate = gate(ServiceLimits(concurrentRequests: 1))
    try await gate.enter()
    let tasks = (0..<3).map { _ in Task { try await gate.enter() } }
    while gate.waiting < 3 { await Task.yield() }
    // The first in the queue and a later one.
    tasks[0].cancel()
    tasks[1].cancel()
    for task in tasks[0...1] {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(gate.waiting == 1)
    gate.leave()
    try await tasks[2].value
    gate.leave()
  }

  @Test func `a cancelled task does not enter`() async throws {
    let gate = gate(ServiceLimits(concurrentRequests: 1))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await gate.enter()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await gate.enter()
    gate.leave()
  }

  @Test func `random cancellations leak no place`() async throws {
    var random = SplitMix(seed: 3)
    let gate = gate(ServiceLimits(concurrentRequests: 3))
    let tasks = (0..<500).map { _ in
      Task {
        try await gate.enter()
        await Task.yield()
        gate.leave()
      }
    }
    for task in tasks where random.next() % 2 == 0 {
      for _ in 0..<random.next() % 4 { await Task.yield() }
      task.cancel()
    }
    for task in tasks { _ = await task.result }
    // All three places are free again.
    for _ in 0..<3 { try await gate.enter() }
    #expect(gate.waiting == 0)
  }
}

import AIServiceTesting
import ConformanceTesting
import Foundation
import TestSupport
import Testing

struct CurlTransportLoadTests {
  @Test func `a thousand concurrent requests get their own responses`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { .text("\($0.path) \($0.text)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let answer = try await exchange.body(
            .post, "/\(number)", body: Data("body \(number)".utf8))
          #expect(answer == "/\(number) body \(number)")
        }
      }
      try await group.waitForAll()
    }
    #expect(exchange.server.requests.count == 1_000)
  }

  @Test func `thousands of requests with random cancellations leak nothing`() async {
    await #expect(processExitsWith: .success) {
      var random = SplitMix(seed: 20_261_121)
      // The first round fills permanent caches; the others must leak nothing. Each uses its own
      // transport, and there are more rounds than threads and descriptors that may still be closing
      // after the first.
      #expect(try await Cancels.run(500, &random) > 0)
      let before = ProcessHoldings.now()
      let rounds = 10 + ProcessInfo.processInfo.activeProcessorCount
      var cancelled = 0
      for _ in 0..<rounds { cancelled += try await Cancels.run(5_400 / rounds, &random) }
      #expect(cancelled > 5_400 / 20)
      let after = ProcessHoldings.settled(since: before)
      let change: Comment = "\(before) → \(after)"
      #expect(after.isNoMore(than: before), change)
      #expect(after.hasGrown(since: before, atMostKibibytes: 24 << 10), change)
    }
  }
}

private enum Cancels {
  /// Returns the number of requests that were cancelled in time.
  static func run(_ count: Int, _ random: inout SplitMix) async throws -> Int {
    let exchange = try Exchange()
    exchange.server.reply { request in
      .chunked([.send(request.path), .bytes(Data(repeating: 32, count: 5_000)), .send("end")])
    }
    var results = Results()
    await withTaskGroup(of: Ending.self) { group in
      for number in 0..<count {
        if number >= 64, let ending = await group.next() { results.note(ending) }
        let delay = random.next() % 3 == 0 ? Int(random.next() % 40) : nil
        group.addTask { await request(number, exchange, cancelledAfter: delay) }
      }
      for await ending in group { results.note(ending) }
    }
    #expect(results.wrong == 0)
    #expect(results.complete + results.cancelled == count)
    exchange.server.stop()
    try await exchange.server.wait { $0.openConnections == 0 }
    return results.cancelled
  }

  enum Ending { case complete, cancelled, wrong }

  struct Results {
    var complete = 0
    var cancelled = 0
    var wrong = 0

    mutating func note(_ ending: Ending) {
      switch ending {
      case .complete: complete += 1
      case .cancelled: cancelled += 1
      case .wrong: wrong += 1
      }
    }
  }

  private static func request(
    _ number: Int, _ exchange: Exchange, cancelledAfter yields: Int?
  ) async -> Ending {
    let task = Task { try await exchange.body(.get, "/\(number)") }
    if let yields {
      for _ in 0..<yields { await Task.yield() }
      task.cancel()
    }
    do {
      let text = try await task.value
      return text.hasPrefix("/\(number) ") && text.hasSuffix("end") ? .complete : .wrong
    } catch {
      return error is CancellationError && yields != nil ? .cancelled : .wrong
    }
  }
}

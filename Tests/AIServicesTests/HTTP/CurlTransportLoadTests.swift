import AIServiceTesting
import Foundation
import TestSupport
import Testing

struct CurlTransportLoadTests {
  @Test func `of a thousand requests at once none is lost or swapped`() async throws {
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

  @Test func `thousands of requests with random cancels leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      var random = SplitMix(seed: 20_261_121)
      // The first round fills what is kept for good, the second has to cost nothing.
      try await Cancels.run(3_000, &random)
      let before = try await Holdings.settled()
      try await Cancels.run(3_000, &random)
      let after = try await Holdings.settled()
      let change: Comment = "\(before) → \(after)"
      #expect(after.descriptors <= before.descriptors, change)
      #expect(after.threads <= before.threads, change)
      // The address sanitizer keeps freed memory for a while.
      if dlsym(nil, "__asan_init") == nil {
        #expect(after.kibibytes - before.kibibytes < 24 << 10, change)
      }
    }
  }
}

private enum Cancels {
  static func run(_ count: Int, _ random: inout SplitMix) async throws {
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
    #expect(results.cancelled > count / 20)
    exchange.server.stop()
    try await exchange.server.wait { $0.openConnections == 0 }
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

/// What the process holds.
private struct Holdings {
  var kibibytes: Int
  var descriptors: Int
  var threads: Int

  static func now() -> Holdings {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let memory = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    func count(_ path: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: path))?.count ?? -1
    }
    return Holdings(
      kibibytes: memory.flatMap { Int($0.filter(\.isNumber)) } ?? -1,
      descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"))
  }

  /// What is left when threads have ended that nobody can wait for: when it stays the same for a while.
  static func settled() async throws -> Holdings {
    var last = now()
    var rounds = 0
    while rounds < 25 {
      try await Task.sleep(for: .milliseconds(20))
      let next = now()
      rounds = next.descriptors == last.descriptors && next.threads == last.threads ? rounds + 1 : 0
      last = next
    }
    return last
  }
}

import AIServiceTesting
import AIServices
import Foundation
import SpeechConcurrency
import Testing

@testable import SpeechActions

@Suite(.timeLimit(.minutes(20))) struct SpendingTests {
  @Test(arguments: [false, true])
  func `100 concurrent runs never exceed the cap`(isShared: Bool) async throws {
    let folder = URL.temporaryDirectory.appending(path: "spending-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = isShared ? folder.appending(path: "spending.json") : nil
    // With a shared file, the two ledgers stand for two programs.
    let ledger = SpendingLedger(file: file)
    let other = isShared ? SpendingLedger(file: file) : ledger
    let worlds = [
      try ActionWorld(["a"], spending: ledger), try ActionWorld(["a"], spending: other),
    ]
    let charged = Guarded(0.0)
    for world in worlds {
      world.server("a").reply { _ in
        // The most expensive answer that the cap allows.
        charged.withLock { $0 += 100 * 1e-6 + 50 * 10e-6 }
        return .answer(["A"], tokens: (100, 50))
      }
    }
    let cap = SpendingCap(0.02, per: .day)
    let runs = (0..<100).map { number in
      let world = worlds[number % 2]
      var connector = world.connector("a")
      connector.price = Connector.Price(input: 1, output: 10)
      connector.maxTokens = 50
      connector.concurrency = 20
      return world.run(.plain(cap: cap), on: "\(number)", connectors: [connector])
    }
    var good = 0
    for run in runs {
      let outcome = await run.outcome()
      if outcome.answer != nil {
        good += 1
      } else {
        guard case .spendingCapReached? = outcome.error else {
          Issue.record("\(String(describing: outcome.error))")
          continue
        }
      }
    }
    let spent = try await ledger.spent(by: "test", per: .day)
    #expect(charged.withLock { $0 } <= cap.amount + 1e-12)
    #expect(abs(spent - charged.withLock { $0 }) < 1e-9)
    #expect(good > 0 && good < 100)
  }

  @Test func `without token counts the cost is an estimate, and the cap counts the maximum`()
    async throws
  {
    let world = try ActionWorld(["a"])
    world.server("a").reply { _ in .answer(["Good day, how are you?"], tokens: nil) }
    var connector = world.connector("a")
    connector.price = Connector.Price(input: 1, output: 2)
    let action = TextAction.plain(cap: SpendingCap(1, per: .month))
    let outcome = await world.outcome(action, connectors: [connector])
    let answer = try #require(outcome.answer)
    // “Say: Guten Tag” is 14 bytes in one message, and the answer 22 bytes.
    let estimate = (14.0 / 4 + 4 + 22.0 / 4 * 2) / 1_000_000
    #expect(answer.isCostEstimated && outcome.isCostEstimated)
    #expect(abs((answer.cost ?? 0) - estimate) < 1e-12, "\(String(describing: answer.cost))")
    #expect(outcome.cost == answer.cost)
    let spent = try await world.runner.spending.spent(by: "test", per: .month)
    #expect(spent > 100 * estimate)

    world.server("a").reply { _ in .answer(["Good day"], tokens: (8, 2)) }
    let exact = await world.outcome(action, on: "Guten Abend", connectors: [connector])
    #expect(exact.answer?.isCostEstimated == false && !exact.isCostEstimated)
  }

  @Test func `a cancelled request counts with its maximum cost`() async throws {
    let world = try ActionWorld(["a"])
    let gate = ReplyGate()
    world.server("a").reply { _ in .answer(["one", "two"], gate: gate) }
    var connector = world.connector("a")
    connector.price = Connector.Price(input: 1, output: 10)
    connector.maxTokens = 100
    let run = world.run(.plain(cap: SpendingCap(1, per: .month)), connectors: [connector])
    try await gate.reached()
    run.cancel()
    let outcome = await run.outcome()
    #expect(outcome.isCostEstimated)
    let cost = try #require(outcome.cost)
    #expect(cost < 0.001)
    #expect(try await world.runner.spending.spent(by: "test", per: .month) > 0.001)
  }

  @Test func `a refused request costs nothing`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { _ in .fixed(401) }
    var connector = world.connector("a")
    connector.price = Connector.Price(input: 1, output: 10)
    _ = await world.outcome(.plain(cap: SpendingCap(1, per: .day)), connectors: [connector])
    #expect(try await world.runner.spending.spent(by: "test", per: .day) == 0)
  }

  @Test func `a remote service without a price is not asked under a cap`() async throws {
    let world = try ActionWorld(["a"])
    let far = Connector(id: "far", baseURL: "https://api.example.org/v1")
    let outcome = await world.outcome(.plain(cap: SpendingCap(1)), connectors: [far])
    guard case .spendingCapReached(let text)? = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(text.contains("has no price"))
    #expect(world.transport.sent == 0)
  }

  @Test func `days and months have separate accounts, which expire`() async throws {
    let folder = URL.temporaryDirectory.appending(path: "spending-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let date = Guarded(Date(timeIntervalSince1970: 1_800_000_000))
    let ledger = SpendingLedger(file: folder.appending(path: "s.json")) { date.withLock { $0 } }
    let action = TextAction.plain()
    let cap = SpendingCap(1, per: .day)
    _ = try await ledger.reserve(0.75, for: action, under: cap, run: "1")
    await #expect(throws: ActionError.self) {
      try await ledger.reserve(0.5, for: action, under: cap, run: "2")
    }
    date.withLock { $0 += 86_400 }
    _ = try await ledger.reserve(0.5, for: action, under: cap, run: "3")
    #expect(try await ledger.spent(by: "test", per: .day) == 0.5)
  }

  @Test func `small amounts add up exactly`() {
    var book = SpendingAccounts()
    let sum = SpendingAccounts.billionths(0.1)
    let cap = SpendingAccounts.billionths(1)
    for _ in 0..<10 {
      let isReserved = book.reserve(sum, on: "x", cap: cap)
      #expect(isReserved)
    }
    let isMore = book.reserve(1, on: "x", cap: cap)
    #expect(!isMore)
  }
}

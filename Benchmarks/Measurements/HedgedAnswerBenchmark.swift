import AIServiceTesting
import Foundation
import SpeechActions
import SpeechConcurrency
import SpeechKit

/// Measures the time to the first word when a second service is asked as soon as the first is late,
/// beside asking only one.
struct HedgedAnswerBenchmark: Benchmark {
  let name = "hedged-answers"
  let summary = "time to the first word from services of which one answer in ten is slow"

  private nonisolated static let questions = 200
  private nonisolated static let fast = Duration.milliseconds(20)
  private nonisolated static let slow = Duration.milliseconds(500)
  private nonisolated static let hedgeDelay = Duration.milliseconds(60)

  private struct Session {
    var waits: [Double]
    var requests: Int

    /// Returns a percentile of the times to the first word, in milliseconds.
    func percentile(_ share: Int) -> Double {
      let sorted = waits.sorted()
      return sorted[min(sorted.count - 1, (sorted.count * share + 99) / 100 - 1)]
    }
  }

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    var hedged: [Session] = []
    var plain: [Session] = []
    for round in 0..<bench.options.runs {
      hedged.append(try await session(.hedged(after: .fixed(Self.hedgeDelay)), seed: round))
      plain.append(try await session(.sequential, seed: round))
    }
    let more = hedged.map { Double($0.requests) }.reduce(0, +) / Double(hedged.count)
    return [50, 95, 99].map { share in
      BenchmarkRow(
        benchmark: name, what: "time to the first word, \(share)th percentile",
        unit: .milliseconds, ours: Samples(hedged.map { $0.percentile(share) }),
        peerName: "one service", peer: Samples(plain.map { $0.percentile(share) }),
        // One answer in 100 is slow from both services, so the 99th percentile is random.
        goal: share == 50 ? .ratio(1.25) : share == 95 ? .ratio(0.5) : nil,
        note: share == 50
          ? "\(Self.questions) questions; the second service is asked after \(Self.hedgeDelay); "
            + "\(String(format: "%.0f", more)) requests in all" : nil)
    }
  }

  /// Asks the questions in sequence, with two services whose slow answers are independent.
  private func session(_ mode: RoutingRule.Mode, seed: Int) async throws -> Session {
    let servers = [try LoopbackServer(), try LoopbackServer()]
    defer { for server in servers { server.stop() } }
    for (index, server) in servers.enumerated() {
      let random = Guarded(SeededNumbers(seed: UInt64(seed * 2 + index)))
      server.reply { _ in
        Self.answer(after: random.withLock { $0.next(10) } == 0 ? Self.slow : Self.fast)
      }
    }
    let connectors = servers.enumerated().map { index, server in
      Connector(id: "server-\(index)", baseURL: server.url("/v1").absoluteString, model: "m")
    }
    let action = TextAction(
      id: "ask", name: "Ask", prompt: "{{text}}", routing: RoutingRule(mode, retries: 0))
    let runner = ActionRunner(credentials: AICredentialManager())
    var waits: [Double] = []
    for number in 0..<Self.questions {
      let start = ContinuousClock.now
      let run = runner.run(action, on: ActionInput("\(number)"), connectors: connectors)
      var isWaiting = true
      for await event in run.events {
        guard isWaiting, case .text = event else { continue }
        isWaiting = false
        waits.append((ContinuousClock.now - start) / .milliseconds(1))
      }
    }
    return Session(waits: waits, requests: servers.reduce(0) { $0 + $1.requests.count })
  }

  /// Returns an answer that begins late, after a comment that clients ignore.
  private nonisolated static func answer(after delay: Duration) -> ScriptedReply {
    .events([
      .drip(Data(":".utf8), every: delay), .send("\n\n"),
      .send("data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n"),
      .send("data: [DONE]\n\n"),
    ])
  }
}

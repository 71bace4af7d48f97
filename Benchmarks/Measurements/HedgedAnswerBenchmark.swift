import AIServiceTesting
import Foundation
import SpeechActions
import SpeechConcurrency
import SpeechKit

/// How long one waits for the first word when a second service is asked as soon as the first is late, beside
/// asking one alone.
struct HedgedAnswerBenchmark: Benchmark {
  let name = "hedged-answers"
  let summary = "time to the first word from services of which one answer in ten is slow"

  private nonisolated static let questions = 200
  private nonisolated static let usual = Duration.milliseconds(20)
  private nonisolated static let slow = Duration.milliseconds(500)
  private nonisolated static let patience = Duration.milliseconds(60)

  private struct Course {
    var waits: [Double]
    var requests: Int

    /// The time within which so many of 100 answers began, in milliseconds.
    func percentile(_ share: Int) -> Double {
      let sorted = waits.sorted()
      return sorted[min(sorted.count - 1, (sorted.count * share + 99) / 100 - 1)]
    }
  }

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    var hedged: [Course] = []
    var plain: [Course] = []
    for round in 0..<bench.options.runs {
      hedged.append(try await course(.hedged(after: .fixed(Self.patience)), seed: round))
      plain.append(try await course(.sequential, seed: round))
    }
    let more = hedged.map { Double($0.requests) }.reduce(0, +) / Double(hedged.count)
    return [50, 95, 99].map { share in
      BenchmarkRow(
        benchmark: name, what: "time to the first word, \(share) of 100 answers",
        unit: .milliseconds, ours: Samples(hedged.map { $0.percentile(share) }),
        peerName: "plain", peer: Samples(plain.map { $0.percentile(share) }),
        // Of 100 answers one is slow from both, so that 99 is a matter of chance.
        goal: share == 50 ? .ratio(1.25) : share == 95 ? .ratio(0.5) : nil,
        note: share == 50
          ? "\(Self.questions) questions; the second is asked after \(Self.patience); "
            + "\(String(format: "%.0f", more)) requests in all" : nil)
    }
  }

  /// The questions one after another, to two services with tails of their own.
  private func course(_ mode: RoutingRule.Mode, seed: Int) async throws -> Course {
    let servers = [try LoopbackServer(), try LoopbackServer()]
    defer { for server in servers { server.stop() } }
    for (index, server) in servers.enumerated() {
      let random = Guarded(SeededNumbers(seed: UInt64(seed * 2 + index)))
      server.reply { _ in
        Self.answer(after: random.withLock { $0.next(10) } == 0 ? Self.slow : Self.usual)
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
    return Course(waits: waits, requests: servers.reduce(0) { $0 + $1.requests.count })
  }

  /// An answer that begins late: a comment is dripped before, which no client shows.
  private nonisolated static func answer(after delay: Duration) -> ScriptedReply {
    .events([
      .drip(Data(":".utf8), every: delay), .send("\n\n"),
      .send("data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n"),
      .send("data: [DONE]\n\n"),
    ])
  }
}

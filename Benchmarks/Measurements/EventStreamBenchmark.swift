import AIServiceTesting
import Foundation
import SpeechKit

/// Measures the cost of reading a stream of tokens, beside `curl`, which only writes it to a file.
struct EventStreamBenchmark: Benchmark {
  let name = "event-stream"
  let summary = "reading a stream of server-sent events, beside curl -N into a file"

  private nonisolated static let events = 200_000

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let server = try LoopbackServer()
    defer { server.stop() }
    let event = """
      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1763683200,\
      "model":"m","choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}\n\n
      """
    let block = String(repeating: event, count: 100)
    server.reply { _ in
      .events([ScriptedReply.Step](repeating: .send(block), count: Self.events / 100))
    }
    let address = server.url("/stream").absoluteString
    let ours = bench.worker([Worker.stream, address])
    let peer = bench.peer(
      "curl", ["-sN", "-o", bench.folder.appendingPathComponent("stream").path, address])
    let usages = try bench.interleaved([ours, peer])
    guard usages[0].allSatisfy({ $0.output == "\(Self.events)\n" }) else {
      throw UsageError("not all events were read")
    }
    let rates = usages[0].map { Double(Self.events) / $0.processorTime }
    return [
      BenchmarkRow(
        benchmark: name, what: "processor time for \(Self.events) events", unit: .seconds,
        ours: Samples(usages[0].map(\.processorTime)), peerName: "curl -N",
        peer: Samples(usages[1].map(\.processorTime)), goal: .ratio(2.5),
        note: "SpeechKit parses the events, curl writes the bytes to a file"),
      BenchmarkRow(
        benchmark: name, what: "events per second of processor time", unit: .count,
        ours: Samples(rates)),
    ]
  }
}

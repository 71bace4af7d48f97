import AIServiceTesting
import Foundation
import SpeechKit

/// Measures the cost of calls to a service, beside plain `curl`.
struct ServiceCallBenchmark: Benchmark {
  let name = "service-call"
  let summary = "consecutive calls with JSON, beside plain curl"

  private nonisolated static let calls = 500

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply { .json($0.text) }
    let ours = bench.worker([Worker.call, server.url().absoluteString, "\(Self.calls)"])
    let peer = bench.peer("curl", ["-s", "-K", try script(for: server, in: bench.folder)])
    let usages = try bench.interleaved([ours, peer])
    return [
      row("processor time of \(Self.calls) calls", usages, \.processorTime),
      row("time of \(Self.calls) calls", usages, \.wallTime),
    ]
  }

  private func row(
    _ what: String, _ usages: [[ProcessUsage]], _ value: KeyPath<ProcessUsage, Double>
  ) -> BenchmarkRow {
    BenchmarkRow(
      benchmark: name, what: what, unit: .seconds,
      ours: Samples(usages[0].map { $0[keyPath: value] }),
      peerName: "curl", peer: Samples(usages[1].map { $0[keyPath: value] }),
      note: "both start a process once; SpeechKit also encodes and decodes the JSON")
  }

  /// Writes the same calls for `curl -K`, which reuses its connection too.
  private func script(for server: LoopbackServer, in folder: URL) throws -> String {
    let call = """
      url = "\(server.url("/echo").absoluteString)"
      header = "Content-Type: application/json"
      data = "{\\"prompt\\":\\"Hello\\"}"
      output = "/dev/null"
      """
    let file = folder.appendingPathComponent("calls")
    try [String](repeating: call, count: Self.calls).joined(separator: "\nnext\n")
      .write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}

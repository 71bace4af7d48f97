import AIServiceTesting
import Foundation
import SpeechCloud
import SpeechKit

/// Measures the time from the first byte of a service's audio to the first sample at the device.
struct CloudAudioBenchmark: Benchmark {
  let name = "cloud-audio"
  let summary = "from the first byte of a service's audio to the first sample at the device"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let server = try LoopbackServer()
    defer { server.stop() }
    let samples = try await bench.repeated(bench.options.runs * 10) {
      try await Self.firstWrite(server)
    }
    return [
      BenchmarkRow(
        benchmark: name, what: "first byte to first sample at the device", unit: .milliseconds,
        ours: samples)
    ]
  }

  private static func firstWrite(_ server: LoopbackServer) async throws -> Double {
    let gate = ReplyGate()
    let second = Data(repeating: 0, count: 48_000)
    server.enqueue(
      .chunked(
        [.wait(gate), .bytes(second.prefix(4_800)), .stall],
        headers: ["Content-Type": "audio/pcm"]))
    let service = OpenAIProvider(
      configuration: .kokoro(baseURL: server.url("/v1").absoluteString))
    return try await FirstWrite.time(
      of: OpenAIVoice(service: service), .default, saying: "Good morning."
    ) {
      try await gate.reached()
      defer { gate.open() }
      return .now
    }
  }
}

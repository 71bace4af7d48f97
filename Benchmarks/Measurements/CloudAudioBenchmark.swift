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
    let output = StopwatchOutput()
    let provider = VoiceSynthesisProvider(
      engine: OpenAITTSProvider(service: service), configuration: .default, output: output)
    let speaking = Task { try await provider.speak(text: "Good morning.", voice: nil) }
    try await gate.reached()
    let start = ContinuousClock.now
    gate.open()
    var first = ContinuousClock.now
    for await time in output.writes {
      first = time
      break
    }
    provider.stop()
    _ = try? await speaking.value
    return start.duration(to: first) / .milliseconds(1)
  }
}

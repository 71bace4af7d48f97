import Foundation
import SpeechKit

/// Measures the time from a long text to its first audio with a warm engine.
struct FirstAudioBenchmark: Benchmark {
  let name = "first-audio"
  let summary = "from a long text to its first audio, with a warm engine"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let long = ReadingMatter.longText(chapters: 20)
    let times = bench.options.runs * 10
    func row(
      _ what: String, _ goal: BenchmarkRow.Goal?, _ measure: () async throws -> Double
    ) async throws -> BenchmarkRow {
      BenchmarkRow(
        benchmark: name, what: what, unit: .milliseconds,
        ours: try await bench.repeated(times, measure), goal: goal)
    }
    var rows: [BenchmarkRow] = []
    #if Espeak
    rows = [
      try await row("eSpeak NG, first chunk", .value(20)) {
        try await Self.firstChunk(EspeakEngine(), .default, long, "en-us")
      },
      try await row("eSpeak NG, first chunk of an endless sentence", .value(20)) {
        try await Self.firstChunk(
          EspeakEngine(), .default, ReadingMatter.endlessSentence, "en-us")
      },
      try await row("eSpeak NG, speak() to the first write", .value(20)) {
        try await FirstWrite.time(of: EspeakEngine(), .default, saying: long, "en-us")
      },
    ]
    #endif
    rows.append(
      try await row("Flite, first chunk", nil) {
        try await Self.firstChunk(FliteEngine(), .default, long, "slt")
      })
    return rows
  }

  private static func firstChunk<Engine: VoiceEngine>(
    _ engine: Engine, _ configuration: Engine.Configuration, _ text: String, _ voice: String
  ) async throws -> Double {
    let start = ContinuousClock.now
    let request = engine.makeRequest(text: text, voiceId: voice)
    for try await chunk in engine.streamAudio(request: request, configuration: configuration)
    where !chunk.audio.isEmpty {
      return start.duration(to: .now) / .milliseconds(1)
    }
    throw UsageError("\(engine.engineId) produced no audio")
  }
}

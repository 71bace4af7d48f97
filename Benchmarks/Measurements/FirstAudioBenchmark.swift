import Foundation
import SpeechKit

/// How long it takes from a long text to its first sound, once the engine is warm.
struct FirstAudioBenchmark: Benchmark {
  let name = "first-audio"
  let summary = "from a long text to its first sound, once the engine is warm"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let long = ReadingMatter.longText(chapters: 20)
    let endless = ReadingMatter.endlessSentence
    let times = bench.options.runs * 10
    func row(
      _ what: String, _ goal: BenchmarkRow.Goal?, _ measure: () async throws -> Double
    ) async throws -> BenchmarkRow {
      BenchmarkRow(
        benchmark: name, what: what, unit: .milliseconds,
        ours: try await bench.repeated(times, measure), goal: goal)
    }
    return [
      try await row("eSpeak, first chunk", .value(20)) {
        try await Self.firstChunk(EspeakEngine(), .default, long, "en-us")
      },
      try await row("eSpeak, no full stop in sight", .value(20)) {
        try await Self.firstChunk(EspeakEngine(), .default, endless, "en-us")
      },
      try await row("eSpeak, speak() to the speakers", .value(20)) {
        try await Self.firstWrite(long)
      },
      try await row("Flite, first chunk", nil) {
        try await Self.firstChunk(FliteEngine(), .default, long, "slt")
      },
    ]
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
    throw UsageError("\(engine.engineId) made no sound")
  }

  private static func firstWrite(_ text: String) async throws -> Double {
    let output = StopwatchOutput()
    let provider = EspeakSynthesisProvider(
      engine: EspeakEngine(), configuration: .default, output: output)
    let start = ContinuousClock.now
    let speaking = Task { try await provider.speak(text: text, voice: "en-us") }
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

/// Speakers that tell when something is written to them.
private struct StopwatchOutput: AudioOutput {
  let name = "stopwatch"
  let writes: AsyncStream<ContinuousClock.Instant>
  private let note: AsyncStream<ContinuousClock.Instant>.Continuation
  private let speaker = MemorySpeaker(clock: RealClock())

  init() {
    (writes, note) = AsyncStream.makeStream()
  }

  func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    StopwatchPlayback(playback: try await speaker.open(format), note: note)
  }
}

private struct StopwatchPlayback: AudioPlayback {
  let playback: any AudioPlayback
  let note: AsyncStream<ContinuousClock.Instant>.Continuation

  var format: AudioFormat { playback.format }
  var statistics: AudioStatistics { playback.statistics }
  var playedFrames: Int { playback.playedFrames }

  func write(_ buffer: PCMBuffer) async throws {
    note.yield(.now)
    try await playback.write(buffer)
  }

  func waitUntilPlayed(_ frame: Int) async throws { try await playback.waitUntilPlayed(frame) }
  func finish() async throws { try await playback.finish() }
  func pause() { playback.pause() }
  func resume() { playback.resume() }
  func stop() { playback.stop() }
}

/// A line as a voice said it, and how long it took to do so.
struct SpokenPerformance: Sendable {
  /// At 16 kHz and the level that was asked for.
  var sound: PCMBuffer
  /// Until the first sample was there.
  var firstSound: Duration
  /// Until the last one was.
  var whole: Duration

  /// Seconds of work for a second of speech.
  var realTimeFactor: Double { whole / max(sound.duration, .milliseconds(1)) }

  /// Has a line said.
  ///
  /// - Throws: what the voice throws; `CancellationError` when the task is cancelled.
  init<Engine: VoiceEngine>(
    of line: String, by engine: Engine, _ configuration: Engine.Configuration, voice: String,
    level: Double
  ) async throws {
    let began = ContinuousClock.now
    var first: Duration?
    let said = try await engine.render(
      engine.makeRequest(text: line, voiceId: voice), configuration: configuration
    ) { chunk in
      if !chunk.audio.isEmpty, first == nil { first = began.duration(to: .now) }
    }
    whole = began.duration(to: .now)
    firstSound = first ?? whole
    let heard = try said.resampled(to: .recognition)
    sound = heard.speechLevel.map { heard.amplified(byDecibels: level - $0) } ?? heard
  }
}

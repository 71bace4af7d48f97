/// A line as a voice spoke it, with its timing.
struct SpokenPerformance: Sendable {
  /// The audio at 16 kHz and the requested level.
  var sound: PCMBuffer
  /// The time until the first sample was available.
  var firstSound: Duration
  /// The time until the last sample was available.
  var whole: Duration

  /// The processing time for each second of speech.
  var realTimeFactor: Double { whole / max(sound.duration, .milliseconds(1)) }

  init(sound: PCMBuffer, firstSound: Duration, whole: Duration) {
    self.sound = sound
    self.firstSound = firstSound
    self.whole = whole
  }

  /// Lets a voice speak a line.
  ///
  /// - Throws: The errors of the voice; `CancellationError` if the task is cancelled.
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

import SpeechConcurrency

/// One line, spoken once by one voice in one acoustic scene.
struct SpokenTrial: Sendable {
  var line: Int
  var voice: Int
  var scene: Int
}

/// Produces the audio of trials: each voice speaks each line, which is heard in each scene.
actor SpokenTrials {
  struct Voice: Sendable {
    var name: String
    var say: @Sendable (_ number: Int, _ line: String) async throws -> PCMBuffer
  }

  /// The trials. Those of one line and voice are adjacent, because the line is spoken once for
  /// them.
  nonisolated let trials: [SpokenTrial]

  private let lines: [String]
  private let voices: [Voice]
  private let scenes: [AcousticScene]
  private let seed: UInt64
  private var last: (line: Int, voice: Int, speech: PCMBuffer)?

  init(
    lines: [String], voices: [Voice], scenes: [AcousticScene], seed: UInt64
  ) {
    (self.lines, self.voices, self.scenes, self.seed) = (lines, voices, scenes, seed)
    trials = lines.indices.flatMap { line in
      voices.indices.flatMap { voice in
        scenes.indices.map { SpokenTrial(line: line, voice: voice, scene: $0) }
      }
    }
  }

  func audio(of trial: SpokenTrial) async throws -> PCMBuffer {
    let (line, voice, scene) = (lines[trial.line], voices[trial.voice], scenes[trial.scene])
    let speech: PCMBuffer
    if let last, last.line == trial.line, last.voice == trial.voice {
      speech = last.speech
    } else {
      speech = try await voice.say(trial.line, line)
      last = (trial.line, trial.voice, speech)
    }
    // Derived from the words instead of their index, so that one more line does not change all
    // that follow.
    var random = SeededNumbers(seed: seed, part: "\(line)|\(voice.name)|\(scene.name)")
    return try await scene.heard(speech, seed: random.next())
  }
}

extension SpeakingConditions {
  /// Has the lines spoken under these conditions, and recognised. The voice of a trial is an index
  /// of `speakers`, and its scene one of `levels`.
  ///
  /// - Parameter progress: Called with the completed share, from 0 to 1.
  func recognise(
    _ lines: [String], with recogniser: AnyRecogniser,
    locale: Locale = Locale(identifier: "en-US"),
    progress: @escaping @Sendable (Double) async -> Void
  ) async throws -> [(trial: SpokenTrial, outcome: RecognitionWorkers.Outcome)] {
    let spoken = SpokenTrials(
      lines: lines,
      voices: speakers.map { speaker in
        .init(name: speaker.name) { _, line in try await speaker.say(line) }
      },
      scenes: levels.map { AcousticScene(backgrounds: $0.backgrounds) }, seed: seed)
    let counter = ProgressCounter(spoken.trials.count, progress)
    let workers = RecognitionWorkers(
      recogniser.configuration, locale: locale,
      count: ProcessInfo.processInfo.activeProcessorCount)
    let outcomes = try await workers.recognise(spoken.trials) { _, _, _ in
      await counter.step()
    } audio: { trial in
      try await spoken.audio(of: trial)
    }
    return zip(spoken.trials, outcomes).map { ($0, $1) }
  }
}

/// Counts completed work for a progress report.
actor ProgressCounter {
  private let total: Int
  private let progress: @Sendable (Double) async -> Void
  private var done = 0

  init(_ total: Int, _ progress: @escaping @Sendable (Double) async -> Void) {
    self.total = max(total, 1)
    self.progress = progress
  }

  func step() async {
    done += 1
    await progress(min(1, Double(done) / Double(total)))
  }
}

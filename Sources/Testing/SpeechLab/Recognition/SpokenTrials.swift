import SpeechConcurrency

/// One line, spoken once.
struct SpokenTrial: Sendable {
  var line: Int
  var speaker: Int
  var level: Int
}

/// Speaks lines under the conditions of a study and has them recognised.
struct SpokenTrials: Sendable {
  let lines: [String]
  let conditions: SpeakingConditions

  /// The trials. Those of one line and speaker are adjacent, because the line is spoken once for
  /// them.
  var all: [SpokenTrial] {
    lines.indices.flatMap { line in
      conditions.speakers.indices.flatMap { speaker in
        conditions.levels.indices.map { SpokenTrial(line: line, speaker: speaker, level: $0) }
      }
    }
  }

  /// - Parameter progress: Called with the completed share, from 0 to 1.
  func recognise(
    with recogniser: AnyRecogniser,
    locale: Locale = Locale(identifier: "en-US"),
    progress: @escaping @Sendable (Double) async -> Void
  ) async throws -> [(trial: SpokenTrial, outcome: RecognitionWorkers.Outcome)] {
    let workers = RecognitionWorkers(recogniser, locale: locale)
    try await workers.prepare()
    let trials = all
    let stage = Stage(lines: lines, conditions: conditions)
    let counter = Counter(trials.count)
    let outcomes = try await workers.recognise(trials) {
      await progress(await counter.next())
    } sound: { trial in
      try await stage.sound(of: trial)
    }
    return zip(trials, outcomes).map { ($0, $1) }
  }

  private actor Counter {
    private let total: Int
    private var done = 0

    init(_ total: Int) { self.total = total }

    func next() -> Double {
      done += 1
      return Double(done) / Double(max(total, 1))
    }
  }

  /// Caches the last line, which is heard at several levels.
  private actor Stage {
    private let lines: [String]
    private let conditions: SpeakingConditions
    private var last: (line: Int, speaker: Int, sound: PCMBuffer)?

    init(lines: [String], conditions: SpeakingConditions) {
      self.lines = lines
      self.conditions = conditions
    }

    func sound(of trial: SpokenTrial) async throws -> PCMBuffer {
      let speech: PCMBuffer
      if let last, last.line == trial.line, last.speaker == trial.speaker {
        speech = last.sound
      } else {
        speech = try await conditions.speakers[trial.speaker].say(lines[trial.line])
        last = (trial.line, trial.speaker, speech)
      }
      // Derived from the words instead of their index, so that one more line does not change all
      // that follow.
      let part = "\(lines[trial.line])|\(conditions.speakers[trial.speaker].name)"
      var random = SeededNumbers(seed: conditions.seed, part: part)
      return try await conditions.levels[trial.level].added(to: speech, seed: random.next())
    }
  }
}

import SpeechConcurrency

/// One line, said once.
struct SpokenTrial: Sendable {
  var line: Int
  var speaker: Int
  var level: Int
}

/// Says lines under conditions and has them recognised.
struct SpokenTrials: Sendable {
  let lines: [String]
  let conditions: SpeakingConditions

  /// All of them. Those of one line and speaker stand together, because they are said once.
  var all: [SpokenTrial] {
    lines.indices.flatMap { line in
      conditions.speakers.indices.flatMap { speaker in
        conditions.levels.indices.map { SpokenTrial(line: line, speaker: speaker, level: $0) }
      }
    }
  }

  /// - Parameter progress: called with the share that is done, from 0 to 1.
  func recognise(
    with recogniser: AnyRecogniser,
    locale: Locale = Locale(identifier: "en-US"),
    progress: @escaping @Sendable (Double) async -> Void
  ) async throws -> [(trial: SpokenTrial, outcome: RecognitionCrew.Outcome)] {
    let crew = RecognitionCrew(recogniser, locale: locale)
    try await crew.prepare()
    let trials = all
    let stage = Stage(lines: lines, conditions: conditions)
    let counter = Counter(trials.count)
    let outcomes = try await crew.recognise(trials) {
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

  /// Remembers the line that was said last, which is heard at several levels.
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
      // By the words and not by their place, so that another line more does not change all that follow.
      let part = "\(lines[trial.line])|\(conditions.speakers[trial.speaker].name)"
      var random = SeededNumbers(seed: conditions.seed, part: part)
      return try await conditions.levels[trial.level].added(to: speech, seed: random.next())
    }
  }
}

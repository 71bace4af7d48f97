import SpeechConcurrency

/// A bench for recognisers and voices: lines that are said by many voices in many surroundings, and what each
/// recogniser makes of them.
///
/// ```swift
/// let lab = RecognitionLab(
///   lines: ["turn on the light", "good night"], speakers: Speaker.cast(4, seed: 1),
///   surroundings: [Surroundings(), Surroundings(isTelephone: true)])
/// let report = try await lab.run([.pocketSphinx("dictation")])
/// print(report.text)
/// ```
public struct RecognitionLab: Sendable {
  /// A recogniser on the bench.
  public struct Ear: Sendable {
    /// What it is called in reports, and found by in a baseline.
    public var name: String
    let makeCrew: @Sendable () -> RecognitionCrew

    /// A recogniser of any kind.
    ///
    /// - Parameter count: how many of it work at once.
    public init<Decoder: SpeechDecoder>(
      _ name: String, of kind: Decoder.Type, configuration: Decoder.Configuration,
      locale: Locale = Locale(identifier: "en-US"),
      count: Int = ProcessInfo.processInfo.activeProcessorCount
    ) {
      self.name = name
      makeCrew = {
        RecognitionCrew(of: kind, configuration: configuration, locale: locale, count: count)
      }
    }

    /// PocketSphinx.
    public static func pocketSphinx(
      _ name: String = "pocketsphinx",
      configuration: PocketSphinxConfiguration = PocketSphinxConfiguration()
    ) -> Ear {
      Ear(
        name, of: PocketSphinxDecoder.self, configuration: configuration.withStandardPronunciations)
    }
  }

  /// What is said.
  public var lines: [String]
  /// By whom: each line by each of them.
  public var speakers: [Speaker]
  /// Where: each line in each of them.
  public var surroundings: [Surroundings]
  /// What does not count as an error.
  public var normalisation: TextNormalisation
  /// All that is chance depends on it alone.
  public var seed: UInt64

  /// A bench.
  public init(
    lines: [String], speakers: [Speaker] = Speaker.cast(4, seed: 1),
    surroundings: [Surroundings] = [Surroundings()],
    normalisation: TextNormalisation = [.letterCase, .marks, .hyphens], seed: UInt64 = 1
  ) {
    self.lines = lines
    self.speakers = speakers
    self.surroundings = surroundings
    self.normalisation = normalisation
    self.seed = seed
  }

  /// How many utterances there are.
  public var count: Int { lines.count * speakers.count * surroundings.count }

  private struct Job: Sendable {
    var line: Int
    var speaker: Int
    var place: Int
  }

  /// Has every recogniser hear everything. The same bench gives the same words each time.
  ///
  /// - Parameter progress: called with the share that is done, from 0 to 1.
  /// - Throws: what the recognisers and the voices throw; `CancellationError` when the task is cancelled.
  public func run(
    _ ears: [Ear], progress: @escaping @Sendable (Double) async -> Void = { _ in }
  ) async throws -> LabReport {
    let jobs = lines.indices.flatMap { line in
      speakers.indices.flatMap { speaker in
        surroundings.indices.map { Job(line: line, speaker: speaker, place: $0) }
      }
    }
    let done = Guarded(0)
    let total = Double(max(1, jobs.count * ears.count))
    var results: [LabReport.Ear] = []
    for ear in ears {
      let stage = Stage(self)
      let times = Guarded([Duration](repeating: .zero, count: jobs.count))
      let outcomes = try await ear.makeCrew().recognise(jobs) {
        let count = done.withLock { done in
          done += 1
          return done
        }
        await progress(Double(count) / total)
      } timed: { number, time in
        times.withLock { $0[number] = time }
      } sound: { job in
        try await stage.sound(job)
      }
      let taken = times.withLock { $0 }
      results.append(
        LabReport.Ear(
          name: ear.name,
          trials: zip(jobs, outcomes).enumerated().map { index, pair in
            trial(pair.0, pair.1, taken[index])
          }))
    }
    return LabReport(
      seed: seed, lines: lines.count, speakers: speakers.map(\.name),
      surroundings: surroundings.map(\.name), ears: results, voices: try await voices())
  }

  private func trial(
    _ job: Job, _ outcome: RecognitionCrew.Outcome, _ time: Duration
  ) -> LabReport.Trial {
    let line = lines[job.line]
    var (words, characters) = (ErrorRate(), ErrorRate())
    words.addWords(said: line, heard: outcome.text, overlooking: normalisation)
    characters.addCharacters(said: line, heard: outcome.text, overlooking: normalisation)
    return LabReport.Trial(
      speaker: speakers[job.speaker].name, surroundings: surroundings[job.place].name, said: line,
      heard: outcome.text, words: words, characters: characters, seconds: outcome.seconds,
      taken: time / .seconds(1))
  }

  /// How soon and how fast each voice speaks.
  private func voices() async throws -> [LabReport.Voice] {
    var voices: [LabReport.Voice] = []
    for speaker in speakers {
      var (first, factor): ([Double], [Double]) = ([], [])
      for line in lines.prefix(5) {
        let pace = try await speaker.pace(of: line)
        first.append(pace.firstSound / .seconds(1))
        factor.append(pace.whole / pace.length)
      }
      voices.append(
        LabReport.Voice(
          name: speaker.name, firstSound: .median(of: first), realTimeFactor: .median(of: factor)))
    }
    return voices
  }

  /// Remembers the line that was said last, which is heard in several places.
  private actor Stage {
    private let lab: RecognitionLab
    private var last: (line: Int, speaker: Int, sound: PCMBuffer)?

    init(_ lab: RecognitionLab) { self.lab = lab }

    func sound(_ job: Job) async throws -> PCMBuffer {
      let speech: PCMBuffer
      if let last, last.line == job.line, last.speaker == job.speaker {
        speech = last.sound
      } else {
        speech = try await lab.speakers[job.speaker].say(lab.lines[job.line])
        last = (job.line, job.speaker, speech)
      }
      // By the words and not by their place, so that another line more does not change all that follow.
      let part =
        "\(lab.lines[job.line])|\(lab.speakers[job.speaker].name)|\(lab.surroundings[job.place].name)"
      var random = SeededNumbers(seed: lab.seed, part: part)
      return try await lab.surroundings[job.place].heard(speech, seed: random.next())
    }
  }
}

extension Speaker {
  /// How long it takes to say a line: until the first sound is there, and until all of it is.
  func pace(of line: String) async throws -> (
    firstSound: Duration, whole: Duration, length: Duration
  ) {
    let style = SpeakingStyle(rate: rate, pitchMultiplier: pitch)
    switch engine {
    case .flite:
      return try await Self.pace(
        line, voice, of: FliteEngine(), FliteConfiguration(style: style))
    case .espeak:
      return try await Self.pace(
        line, voice, of: EspeakEngine(), EspeakConfiguration(style: style))
    }
  }

  private static func pace<Engine: VoiceEngine>(
    _ line: String, _ voice: String, of engine: Engine, _ configuration: Engine.Configuration
  ) async throws -> (firstSound: Duration, whole: Duration, length: Duration) {
    let began = ContinuousClock.now
    var first: Duration?
    var length = Duration.zero
    for try await chunk in engine.streamAudio(
      request: engine.makeRequest(text: line, voiceId: voice), configuration: configuration)
    {
      if !chunk.audio.isEmpty, first == nil { first = began.duration(to: .now) }
      length += chunk.audio.duration
    }
    let whole = began.duration(to: .now)
    return (first ?? whole, whole, max(length, .milliseconds(1)))
  }
}

import SpeechConcurrency

/// A test bench for recognisers and voices: many voices speak lines in many acoustic scenes, and
/// each recogniser hears all of them.
///
/// ```swift
/// let lab = RecognitionLab(
///   lines: ["turn on the light", "good night"], speakers: Speaker.cast(4, seed: 1),
///   scenes: [AcousticScene(), AcousticScene(isTelephone: true)])
/// let report = try await lab.run([.init(try SpeechCatalog.current.recogniser("fast"))])
/// print(report.text)
/// ```
public struct RecognitionLab: Sendable {
  /// The lines that are spoken.
  public var lines: [String]
  /// Speech that recognisers with a grammar should reject, for their rejection curves.
  public var others: [OtherSpeech]
  /// The voices. Each speaks every line.
  public var voices: [Voice]
  /// The acoustic scenes. Every line is heard in each of them.
  public var scenes: [AcousticScene]
  /// The differences that do not count as errors.
  public var normalisation: TextNormalisation
  /// The seed of all random choices.
  public var seed: UInt64
  /// The recordings of the lines and then of the other speech; empty if voices speak them.
  private var recordings: [RecordingEntry] = []

  /// Creates a bench with voices of any engine.
  public init(
    lines: [String], others: [OtherSpeech] = [], voices: [Voice],
    scenes: [AcousticScene] = [AcousticScene()],
    normalisation: TextNormalisation = [.letterCase, .marks, .hyphens], seed: UInt64 = 1
  ) {
    self.lines = lines
    self.others = others
    self.voices = voices
    self.scenes = scenes
    self.normalisation = normalisation
    self.seed = seed
  }

  /// Creates a bench with local voices.
  public init(
    lines: [String], others: [OtherSpeech] = [], speakers: [Speaker] = Speaker.cast(4, seed: 1),
    scenes: [AcousticScene] = [AcousticScene()],
    normalisation: TextNormalisation = [.letterCase, .marks, .hyphens], seed: UInt64 = 1
  ) {
    self.init(
      lines: lines, others: others, voices: speakers.map(Voice.init), scenes: scenes,
      normalisation: normalisation, seed: seed)
  }

  /// Creates a bench with recordings instead of voices. Those in which nothing is expected are
  /// speech that recognisers with a grammar should reject.
  ///
  /// One decoder hears them all, so that its processing time and memory are measured as well.
  public init(
    recordings: [RecordingEntry], scenes: [AcousticScene] = [AcousticScene()],
    normalisation: TextNormalisation = .spoken, seed: UInt64 = 1
  ) {
    let lines = recordings.filter { !($0.expected ?? "").isEmpty }
    let others = recordings.filter { ($0.expected ?? "").isEmpty }
    self.init(
      lines: lines.map { $0.expected ?? "" },
      others: others.map { OtherSpeech(.ordinary, $0.file.lastPathComponent) },
      voices: [Voice(recordings: lines + others)], scenes: scenes, normalisation: normalisation,
      seed: seed)
    self.recordings = lines + others
  }

  /// The number of utterances, without other speech.
  public var count: Int { lines.count * voices.count * scenes.count }

  /// Runs the bench. The same bench gives the same words each time, provided that recognisers and
  /// voices are local.
  ///
  /// A recogniser or voice that fails becomes a row of the report with its error. Trials before the
  /// failure of a recogniser count; a voice is heard by all recognisers or by none.
  ///
  /// - Parameter progress: Called with the completed share, from 0 to 1.
  /// - Throws: The errors of acoustic scenes and local voices; `CancellationError` if the task is
  ///   cancelled.
  public func run(
    _ recognisers: [Recogniser], progress: @escaping @Sendable (Double) async -> Void = { _ in }
  ) async throws -> LabReport {
    let said = lines.map { OtherSpeech(.command, $0) } + others
    let texts = recognisers.contains { $0.hasGrammar } ? said.map(\.text) : lines
    let trials = recognisers.map { $0.hasGrammar ? said.count : lines.count }.reduce(0, +)
    let rehearsed = voices.count(where: \.isKept) * texts.count
    let counter = ProgressCounter(trials * voices.count * scenes.count + rehearsed, progress)
    let (present, rows) = recordings.isEmpty ? try await rehearse(texts, counter) : (voices, [])
    var results: [LabReport.Recogniser] = []
    for recogniser in recognisers {
      let lines = recogniser.hasGrammar ? said : Array(said.prefix(self.lines.count))
      results.append(try await measure(recogniser, hearing: lines, from: present, counter))
    }
    return LabReport(
      seed: seed, lines: lines.count, speakers: present.map(\.name), scenes: scenes.map(\.name),
      recognisers: results, voices: rows)
  }

  /// Measures the speed of each voice, and returns those that can speak. Of voices whose lines are
  /// kept, all lines are requested.
  private func rehearse(
    _ texts: [String], _ counter: ProgressCounter
  ) async throws -> (present: [Voice], rows: [LabReport.Voice]) {
    var (present, rows): ([Voice], [LabReport.Voice]) = ([], [])
    for var voice in voices {
      var spoken: [String: SpokenPerformance] = [:]
      var failure: String?
      do {
        for (number, line) in (voice.isKept ? texts : Array(texts.prefix(5))).enumerated()
        where spoken[line] == nil {
          spoken[line] = try await voice.perform(number, line)
          if voice.isKept { await counter.step() }
        }
        if voice.isKept {
          voice.perform = { [spoken, perform = voice.perform] number, line in
            if let known = spoken[line] { known } else { try await perform(number, line) }
          }
        }
        present.append(voice)
      } catch {
        try Self.rethrow(error)
        failure = error.localizedDescription
      }
      rows.append(
        LabReport.Voice(
          name: voice.name,
          firstSound: .median(of: spoken.values.map { $0.firstSound / .seconds(1) }),
          realTimeFactor: .median(of: spoken.values.map(\.realTimeFactor)), failure: failure))
    }
    return (present, rows)
  }

  /// An error of a voice, for which a recogniser is not to blame.
  private struct VoiceFailure: Error {
    var reason: any Error
  }

  private func measure(
    _ recogniser: Recogniser, hearing lines: [OtherSpeech], from voices: [Voice],
    _ counter: ProgressCounter
  ) async throws -> LabReport.Recogniser {
    let spoken = SpokenTrials(
      lines: lines.map(\.text),
      voices: voices.map { voice in
        .init(name: voice.name) { try await voice.perform($0, $1).sound }
      }, scenes: scenes, seed: seed)
    let heard = Guarded<[Int: (outcome: RecognitionWorkers.Outcome, time: Duration)]>([:])
    var result = LabReport.Recogniser(name: recogniser.name, trials: [])
    let use = Guarded(ResourceUse())
    do {
      let workers = RecognitionWorkers(
        recogniser.configuration, locale: recogniser.locale,
        count: recordings.isEmpty ? recogniser.count : 1)
      _ = try await workers.recognise(spoken.trials) { number, outcome, time in
        heard.withLock { $0[number] = (outcome, time) }
        use.withLock { $0.note() }
        await counter.step()
      } audio: { trial in
        do {
          return try await spoken.audio(of: trial)
        } catch {
          throw VoiceFailure(reason: error)
        }
      }
    } catch let error as VoiceFailure {
      throw error.reason
    } catch {
      try Self.rethrow(error)
      result.failure = error.localizedDescription
    }
    var rejections: [RejectionCurve.Trial] = []
    let outcomes = heard.withLock { $0 }
    for (number, trial) in spoken.trials.enumerated() {
      guard let (outcome, time) = outcomes[number] else { continue }
      let line = lines[trial.line]
      rejections.append(
        .init(
          kind: line.kind, said: line.text, heard: outcome.text, confidence: outcome.confidence))
      guard line.kind == .command else { continue }
      var (words, characters) = (ErrorRate(), ErrorRate())
      words.addWords(said: line.text, heard: outcome.text, overlooking: normalisation)
      characters.addCharacters(said: line.text, heard: outcome.text, overlooking: normalisation)
      result.trials.append(
        LabReport.Trial(
          speaker: voices[trial.voice].name, scene: scenes[trial.scene].name, said: line.text,
          heard: outcome.text, words: words, characters: characters, seconds: outcome.seconds,
          taken: time / .seconds(1)))
    }
    if !recordings.isEmpty {
      let seconds = outcomes.values.reduce(0) { $0 + $1.outcome.seconds }
      result.resources = use.withLock { $0.resources(for: seconds) }
    }
    if recogniser.hasGrammar, !others.isEmpty, result.failure == nil {
      result.rejection = RejectionCurve(trials: rejections)
    }
    return result
  }

  /// Rethrows cancellation, which is not a failure of a recogniser or voice.
  private static func rethrow(_ error: any Error) throws {
    if error is CancellationError { throw error }
    try Task.checkCancellation()
  }
}

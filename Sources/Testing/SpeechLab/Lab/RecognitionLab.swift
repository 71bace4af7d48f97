import SpeechConcurrency

/// A test bench for recognisers and voices: many voices speak lines in many acoustic scenes, and
/// each recogniser hears all of them.
///
/// ```swift
/// let lab = RecognitionLab(
///   lines: ["turn on the light", "good night"], speakers: Speaker.cast(4, seed: 1),
///   surroundings: [AcousticScene(), AcousticScene(isTelephone: true)])
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
  public var surroundings: [AcousticScene]
  /// The differences that do not count as errors.
  public var normalisation: TextNormalisation
  /// The seed of all random choices.
  public var seed: UInt64

  /// Creates a bench with voices of any engine.
  public init(
    lines: [String], others: [OtherSpeech] = [], voices: [Voice],
    surroundings: [AcousticScene] = [AcousticScene()],
    normalisation: TextNormalisation = [.letterCase, .marks, .hyphens], seed: UInt64 = 1
  ) {
    self.lines = lines
    self.others = others
    self.voices = voices
    self.surroundings = surroundings
    self.normalisation = normalisation
    self.seed = seed
  }

  /// Creates a bench with local voices.
  public init(
    lines: [String], others: [OtherSpeech] = [], speakers: [Speaker] = Speaker.cast(4, seed: 1),
    surroundings: [AcousticScene] = [AcousticScene()],
    normalisation: TextNormalisation = [.letterCase, .marks, .hyphens], seed: UInt64 = 1
  ) {
    self.init(
      lines: lines, others: others, voices: speakers.map(Voice.init), surroundings: surroundings,
      normalisation: normalisation, seed: seed)
  }

  /// The number of utterances, without other speech.
  public var count: Int { lines.count * voices.count * surroundings.count }

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
    _ ears: [Ear], progress: @escaping @Sendable (Double) async -> Void = { _ in }
  ) async throws -> LabReport {
    let said = lines.map { OtherSpeech(.command, $0) } + others
    let texts = ears.contains { $0.hasGrammar } ? said.map(\.text) : lines
    let places = voices.count * surroundings.count
    let work = ears.map { ($0.hasGrammar ? said.count : lines.count) * places }.reduce(0, +)
    let kept = voices.count(where: \.isKept) * texts.count
    let counter = LabCounter(work + kept, progress)
    let rehearsal = try await rehearse(texts, counter)
    var results: [LabReport.Ear] = []
    for ear in ears {
      let lines = ear.hasGrammar ? said : Array(said.prefix(self.lines.count))
      let jobs = lines.flatMap { line in
        rehearsal.present.flatMap { voice in
          surroundings.indices.map { LabJob(line: line, voice: voice, place: $0) }
        }
      }
      results.append(try await hear(jobs, by: ear, rehearsal.kept, counter))
    }
    return LabReport(
      seed: seed, lines: lines.count, speakers: rehearsal.present.map { voices[$0].name },
      surroundings: surroundings.map(\.name), ears: results, voices: rehearsal.rows)
  }

  /// The facts about the voices that are known before recognition starts.
  private struct Rehearsal {
    /// The indices of the voices that can speak.
    var present: [Int] = []
    var rows: [LabReport.Voice] = []
    /// The lines that were spoken once for all recognisers, by voice and line.
    var kept: [Int: [String: PCMBuffer]] = [:]
  }

  /// Measures the speed of each voice, and whether it works at all.
  private func rehearse(_ texts: [String], _ counter: LabCounter) async throws -> Rehearsal {
    var rehearsal = Rehearsal()
    for (index, voice) in voices.enumerated() {
      var (first, factor): ([Double], [Double]) = ([], [])
      var sounds: [String: PCMBuffer] = [:]
      var failure: String?
      do {
        for line in voice.isKept ? texts : Array(texts.prefix(5)) where sounds[line] == nil {
          let performance = try await voice.perform(line)
          first.append(performance.firstSound / .seconds(1))
          factor.append(performance.realTimeFactor)
          if voice.isKept {
            sounds[line] = performance.sound
            await counter.step()
          }
        }
        rehearsal.present.append(index)
        rehearsal.kept[index] = sounds
      } catch {
        try Self.rethrow(error)
        failure = error.localizedDescription
      }
      rehearsal.rows.append(
        LabReport.Voice(
          name: voice.name, firstSound: .median(of: first), realTimeFactor: .median(of: factor),
          failure: failure))
    }
    return rehearsal
  }

  private func hear(
    _ jobs: [LabJob], by ear: Ear, _ kept: [Int: [String: PCMBuffer]], _ counter: LabCounter
  ) async throws -> LabReport.Ear {
    let stage = LabStage(self, kept)
    let heard = Guarded(
      [(outcome: RecognitionWorkers.Outcome, time: Duration)?](
        repeating: nil, count: jobs.count))
    var failure: String?
    do {
      _ = try await ear.makeCrew().recognise(jobs) {
        await counter.step()
      } heard: { number, outcome, time in
        heard.withLock { $0[number] = (outcome, time) }
      } sound: { job in
        try await stage.sound(job)
      }
    } catch let error as LabStage.Failure {
      // A line that cannot be spoken is not the recogniser's error.
      throw error.reason
    } catch {
      try Self.rethrow(error)
      failure = error.localizedDescription
    }
    var result = LabReport.Ear(name: ear.name, trials: [], failure: failure)
    var rejections: [RejectionCurve.Trial] = []
    for (job, heard) in zip(jobs, heard.withLock { $0 }) {
      guard let heard else { continue }
      rejections.append(
        .init(
          kind: job.line.kind, said: job.line.text, heard: heard.outcome.text,
          confidence: heard.outcome.confidence))
      if job.line.kind == .command {
        result.trials.append(trial(job, heard.outcome, heard.time))
      }
    }
    if ear.hasGrammar, !others.isEmpty, failure == nil {
      result.rejection = RejectionCurve(trials: rejections)
    }
    return result
  }

  /// Rethrows cancellation, which is not a failure of a recogniser.
  private static func rethrow(_ error: any Error) throws {
    if error is CancellationError { throw error }
    try Task.checkCancellation()
  }

  private func trial(
    _ job: LabJob, _ outcome: RecognitionWorkers.Outcome, _ time: Duration
  ) -> LabReport.Trial {
    let line = job.line.text
    var (words, characters) = (ErrorRate(), ErrorRate())
    words.addWords(said: line, heard: outcome.text, overlooking: normalisation)
    characters.addCharacters(said: line, heard: outcome.text, overlooking: normalisation)
    return LabReport.Trial(
      speaker: voices[job.voice].name, surroundings: surroundings[job.place].name, said: line,
      heard: outcome.text, words: words, characters: characters, seconds: outcome.seconds,
      taken: time / .seconds(1))
  }
}

import SpeechConcurrency

/// A bench for recognisers and voices: lines that are said by many voices in many surroundings, and what each
/// recogniser makes of them.
///
/// ```swift
/// let lab = RecognitionLab(
///   lines: ["turn on the light", "good night"], speakers: Speaker.cast(4, seed: 1),
///   surroundings: [Surroundings(), Surroundings(isTelephone: true)])
/// let report = try await lab.run([.init(try SpeechCatalog.current.recogniser("fast"))])
/// print(report.text)
/// ```
public struct RecognitionLab: Sendable {
  /// What is said.
  public var lines: [String]
  /// What is said besides to recognisers of a grammar, and should not be believed: for their rejection curves.
  public var others: [OtherSpeech]
  /// By whom: each line by each of them.
  public var voices: [Voice]
  /// Where: each line in each of them.
  public var surroundings: [Surroundings]
  /// What does not count as an error.
  public var normalisation: TextNormalisation
  /// All that is chance depends on it alone.
  public var seed: UInt64

  /// A bench with any voices.
  public init(
    lines: [String], others: [OtherSpeech] = [], voices: [Voice],
    surroundings: [Surroundings] = [Surroundings()],
    normalisation: TextNormalisation = [.letterCase, .marks, .hyphens], seed: UInt64 = 1
  ) {
    self.lines = lines
    self.others = others
    self.voices = voices
    self.surroundings = surroundings
    self.normalisation = normalisation
    self.seed = seed
  }

  /// A bench with voices of this machine.
  public init(
    lines: [String], others: [OtherSpeech] = [], speakers: [Speaker] = Speaker.cast(4, seed: 1),
    surroundings: [Surroundings] = [Surroundings()],
    normalisation: TextNormalisation = [.letterCase, .marks, .hyphens], seed: UInt64 = 1
  ) {
    self.init(
      lines: lines, others: others, voices: speakers.map(Voice.init), surroundings: surroundings,
      normalisation: normalisation, seed: seed)
  }

  /// How many utterances there are, without other speech.
  public var count: Int { lines.count * voices.count * surroundings.count }

  /// Has every recogniser hear everything. The same bench gives the same words each time, as far as the
  /// recognisers and the voices are local.
  ///
  /// A recogniser or a voice that fails is a row of the report with its error. Of a recogniser what was heard
  /// before counts; a voice is heard by all of them or by none.
  ///
  /// - Parameter progress: called with the share that is done, from 0 to 1.
  /// - Throws: what the surroundings and the voices of this machine throw; `CancellationError` when the task
  ///   is cancelled.
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

  /// What is known of the voices before anybody listens.
  private struct Rehearsal {
    /// Those that can speak.
    var present: [Int] = []
    var rows: [LabReport.Voice] = []
    /// What was said once for all, by voice and line.
    var kept: [Int: [String: PCMBuffer]] = [:]
  }

  /// How soon and how fast each voice speaks, and whether it does at all.
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
      [(outcome: RecognitionCrew.Outcome, time: Duration)?](
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
      // What cannot be said is not the fault of who listens.
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

  /// A cancellation is not a failure of whoever was at work.
  private static func rethrow(_ error: any Error) throws {
    if error is CancellationError { throw error }
    try Task.checkCancellation()
  }

  private func trial(
    _ job: LabJob, _ outcome: RecognitionCrew.Outcome, _ time: Duration
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

/// What recognisers made of a bench's utterances; also a baseline, when it is kept.
public struct LabReport: Sendable, Hashable, Codable {
  /// One utterance and what was heard.
  public struct Trial: Sendable, Hashable, Codable {
    /// Who said it.
    public var speaker: String
    /// Where.
    public var surroundings: String
    /// What.
    public var said: String
    /// What was heard.
    public var heard: String
    /// The errors in words.
    public var words: ErrorRate
    /// The errors in characters.
    public var characters: ErrorRate
    /// How long the sound was.
    public var seconds: Double
    /// How long it took to recognise it.
    public var taken: Double

    /// A trial.
    public init(
      speaker: String, surroundings: String, said: String, heard: String, words: ErrorRate,
      characters: ErrorRate, seconds: Double, taken: Double
    ) {
      self.speaker = speaker
      self.surroundings = surroundings
      self.said = said
      self.heard = heard
      self.words = words
      self.characters = characters
      self.seconds = seconds
      self.taken = taken
    }

    /// By what it is found in a baseline.
    public var key: String { "\(said)|\(speaker)|\(surroundings)" }
  }

  /// A recogniser and its trials.
  public struct Ear: Sendable, Hashable, Codable {
    /// What it is called.
    public var name: String
    /// What it heard.
    public var trials: [Trial]

    /// A recogniser and what it heard.
    public init(name: String, trials: [Trial]) {
      self.name = name
      self.trials = trials
    }

    /// Errors by words, with the interval over utterances.
    public var wordErrorRate: Estimate { Self.rate(trials, \.words) }
    /// Errors by characters.
    public var characterErrorRate: Estimate { Self.rate(trials, \.characters) }
    /// How many utterances were heard without an error.
    public var accuracy: Proportion {
      Proportion(trials.count { $0.words.errors == 0 }, of: trials.count)
    }
    /// Seconds of work by seconds of sound; the median.
    public var realTimeFactor: Estimate {
      .median(of: trials.map { $0.taken / max($0.seconds, 0.001) })
    }

    /// Errors by words, by that of the utterances.
    public func wordErrorRates(
      by part: (Trial) -> String
    ) -> [(name: String, rate: Estimate)] {
      let names = trials.map(part).uniqued()
      return names.map { name in (name, Self.rate(trials.filter { part($0) == name }, \.words)) }
    }

    private static func rate(_ trials: [Trial], _ errors: (Trial) -> ErrorRate) -> Estimate {
      .ratio(
        of: trials.map { Double(errors($0).errors) }, by: trials.map { Double(errors($0).count) })
    }
  }

  /// A voice and its pace.
  public struct Voice: Sendable, Hashable, Codable {
    /// What it is called.
    public var name: String
    /// Seconds until the first sound.
    public var firstSound: Estimate
    /// Seconds of work by seconds of sound.
    public var realTimeFactor: Estimate
  }

  /// On what all that is chance depended.
  public var seed: UInt64
  /// How many lines were said.
  public var lines: Int
  /// By whom.
  public var speakers: [String]
  /// Where.
  public var surroundings: [String]
  /// What was heard.
  public var ears: [Ear]
  /// How soon the voices spoke.
  public var voices: [Voice]

  /// A report.
  public init(
    seed: UInt64, lines: Int, speakers: [String], surroundings: [String], ears: [Ear],
    voices: [Voice]
  ) {
    self.seed = seed
    self.lines = lines
    self.speakers = speakers
    self.surroundings = surroundings
    self.ears = ears
    self.voices = voices
  }
}

/// A recogniser beside its baseline.
public struct LabComparison: Sendable, Hashable, Codable {
  /// What it is called.
  public var name: String
  /// What changed; `nil` if the baseline has not heard the same utterances.
  public var change: RunComparison?
  /// Whether it is a regression.
  public var isWorse: Bool
  /// What there is to say, in a line.
  public var text: String
}

extension LabReport {
  /// This report beside a baseline, for the utterances that both have.
  ///
  /// - Parameter least: how much worse the error rate has to be at least; one point unless given.
  public func compared(with baseline: LabReport, atLeast least: Double = 0.01) -> [LabComparison] {
    ears.map { ear in
      guard let old = baseline.ears.first(where: { $0.name == ear.name }) else {
        return LabComparison(
          name: ear.name, isWorse: false, text: "\(ear.name): the baseline does not know it")
      }
      let known = Dictionary(old.trials.map { ($0.key, $0) }) { first, _ in first }
      let pairs = ear.trials.compactMap { trial in known[trial.key].map { ($0, trial) } }
      guard !pairs.isEmpty else {
        return LabComparison(
          name: ear.name, isWorse: true,
          text: "\(ear.name): the baseline has none of these utterances. Keep a new one.")
      }
      let change = RunComparison(
        before: pairs.map(\.0.words.errors), after: pairs.map(\.1.words.errors),
        words: pairs.map(\.1.words.count))
      let isWorse = change.isWorse(atLeast: least)
      return LabComparison(
        name: ear.name, change: change, isWorse: isWorse,
        text: String(
          format: "%@: %+.2f points (%+.2f to %+.2f), chance %.3g, %d utterances: %@", ear.name,
          change.difference * 100, change.interval.lowerBound * 100,
          change.interval.upperBound * 100, change.chance, change.count,
          isWorse ? "worse" : change.difference < 0 ? "not worse" : "no proof of worse"))
    }
  }
}

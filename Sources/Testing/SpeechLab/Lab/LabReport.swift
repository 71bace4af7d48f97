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
    /// How well its confidence parts the lines from other speech; `nil` unless both were said to it.
    public var rejection: RejectionCurve?
    /// Why it did not hear all of it; `nil` if it did.
    public var failure: String?

    /// A recogniser and what it heard.
    public init(
      name: String, trials: [Trial], rejection: RejectionCurve? = nil, failure: String? = nil
    ) {
      self.name = name
      self.trials = trials
      self.rejection = rejection
      self.failure = failure
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
    /// Why it did not speak, so that nobody heard it; `nil` if it did.
    public var failure: String?

    /// A voice and its pace.
    public init(
      name: String, firstSound: Estimate, realTimeFactor: Estimate, failure: String? = nil
    ) {
      self.name = name
      self.firstSound = firstSound
      self.realTimeFactor = realTimeFactor
      self.failure = failure
    }
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

  /// What failed and why, a line for each.
  public var failures: [String] {
    ears.compactMap { ear in ear.failure.map { "\(ear.name): \($0)" } }
      + voices.compactMap { voice in voice.failure.map { "\(voice.name): \($0)" } }
  }
}

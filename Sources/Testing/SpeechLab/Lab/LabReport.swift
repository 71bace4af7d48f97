/// The results of a laboratory run. A stored report is the baseline of a later one.
public struct LabReport: Sendable, Hashable, Codable {
  /// One utterance with the text that was recognised.
  public struct Trial: Sendable, Hashable, Codable {
    /// The name of the speaker.
    public var speaker: String
    /// The name of the acoustic scene.
    public var scene: String
    /// The words that were spoken.
    public var said: String
    /// The words that were recognised.
    public var heard: String
    /// The errors in words.
    public var words: ErrorRate
    /// The errors in characters.
    public var characters: ErrorRate
    /// The duration of the audio in seconds.
    public var seconds: Double
    /// The duration of recognition in seconds.
    public var taken: Double

    /// The key of the trial in a baseline.
    var key: String { "\(said)|\(speaker)|\(scene)" }

    // Baselines have the keys of earlier versions.
    private enum CodingKeys: String, CodingKey {
      case speaker, scene = "surroundings", said, heard, words, characters, seconds, taken
    }
  }

  /// The resources that one decoder used for recordings.
  public struct Resources: Sendable, Hashable, Codable {
    /// The processor time for each second of audio.
    public var processorTime: Double
    /// The growth of the resident memory while it worked, in megabytes. What an earlier recogniser
    /// has loaded and this one uses too is not in it.
    public var megabytes: Double
  }

  /// A recogniser with its trials.
  public struct Recogniser: Sendable, Hashable, Codable {
    /// The name of the recogniser.
    public var name: String
    /// The trials in the order of the bench.
    public var trials: [Trial]
    /// The separation of the lines from other speech by confidence; `nil` unless both were spoken.
    public var rejection: RejectionCurve?
    /// The processor time and memory; `nil` unless recordings were recognised.
    public var resources: Resources?
    /// The error that ended the run early; `nil` if there was none.
    public var failure: String?

    /// The word error rate, with its interval over utterances.
    public var wordErrorRate: Estimate { Self.rate(trials, \.words) }
    /// The character error rate, with its interval over utterances.
    public var characterErrorRate: Estimate { Self.rate(trials, \.characters) }
    /// The share of utterances without an error.
    public var accuracy: Proportion {
      Proportion(trials.count { $0.words.errors == 0 }, of: trials.count)
    }
    /// The median of the processing time by the duration of the audio.
    public var realTimeFactor: Estimate {
      .median(of: trials.map { $0.taken / max($0.seconds, 0.001) })
    }

    /// The median of the time from the end of an utterance to its text, in seconds.
    public var wait: Estimate { .median(of: trials.map(\.taken)) }

    /// Returns the word error rates of groups of utterances.
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

  /// A voice with its speed.
  public struct Voice: Sendable, Hashable, Codable {
    /// The name of the voice.
    public var name: String
    /// The seconds until the first audio.
    public var firstSound: Estimate
    /// The processing time by the duration of the audio.
    public var realTimeFactor: Estimate
    /// The error that kept the voice from speaking; `nil` if there was none.
    public var failure: String?
  }

  /// The seed of all random choices.
  public var seed: UInt64
  /// The number of lines.
  public var lines: Int
  /// The names of the speakers.
  public var speakers: [String]
  /// The names of the acoustic scenes.
  public var scenes: [String]
  /// The results of the recognisers.
  public var recognisers: [Recogniser]
  /// The results of the voices.
  public var voices: [Voice]

  private enum CodingKeys: String, CodingKey {
    case seed, lines, speakers, scenes = "surroundings", recognisers = "ears", voices
  }

  /// The failures with their reasons, one line each.
  public var failures: [String] {
    recognisers.compactMap { recogniser in recogniser.failure.map { "\(recogniser.name): \($0)" } }
      + voices.compactMap { voice in voice.failure.map { "\(voice.name): \($0)" } }
  }
}

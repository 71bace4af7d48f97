import SpeechTesting

/// The options of commands that have sentences spoken by synthetic voices.
struct CastOptions: OptionGroup {
  enum Voices: String, CaseIterable, Sendable {
    case flite
    case espeak
    case both

    var engines: [Speaker.Engine] {
      switch self {
      case .flite: [.flite]
      case .espeak: [.espeak]
      case .both: [.flite, .espeak]
      }
    }
  }

  @Option(
    "--voices", as: .count(in: 1...200), help: "How many different voices speak; 8 unless given.")
  var voices: Int?
  @Option(
    "--engine", as: .choice("NAME"),
    help: "Whose voices: recognisers understand Flite's far better; flite unless given.")
  var engine = Voices.flite
  @Option(
    "--noise", as: .noiseLevels,
    help:
      "The noise under the speech: clean, or white, pink, hum or babble with the decibels that the "
      + "speech is louder; clean,pink:20,pink:10 unless given.")
  var noise: [NoiseLevel]?
  @Option(
    "--sentences", as: .count(in: 1...5_000),
    help: "How many sentences are said at most; from more a sample is taken. 60 unless given.")
  var limit = 60
  @Option(
    "--seed", as: .seed,
    help: "What all chance depends on; the same number gives the same result. 1 unless given.")
  var seed: UInt64 = 1

  var conditions: SpeakingConditions {
    let speakers = Speaker.cast(voices ?? 8, engines: engine.engines, seed: seed)
    return if let noise {
      SpeakingConditions(speakers: speakers, levels: noise, seed: seed)
    } else {
      SpeakingConditions(speakers: speakers, seed: seed)
    }
  }
}

extension ValueFormat where Value == [NoiseLevel] {
  /// A list of noises: `clean,pink:20,babble:10`.
  static var noiseLevels: Self {
    Self("LIST") { text, _ throws(UsageError) in try NoiseList.parse(text) }
  }
}

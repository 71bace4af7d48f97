import SpeechCommand
import SpeechKit
import SpeechTesting

/// The options of commands that have sentences spoken by synthetic voices.
struct CastOptions: OptionGroup {
  @Option(
    "--voices", as: .count(in: 1...200), help: "The number of different voices. Default: 8.")
  var voices: Int?
  @Option(
    "--engine", as: .speakerEngines,
    help: "The engine of the voices; recognisers understand Flite's far better. Default: flite.")
  var engines: SpeakerEngines?
  @Option(
    "--noise", as: .noiseLevels,
    help:
      "The noise: clean, or white, pink, hum or babble with the signal-to-noise ratio in decibels. "
      + "Default: clean,pink:20,pink:10.")
  var noise: [NoiseLevel]?
  @Option(
    "--sentences", as: .count(in: 1...5_000),
    help: "The largest number of sentences; a sample is taken of more. Default: 60.")
  var limit = 60
  @Option(
    "--seed", as: .seed,
    help: "The random seed; the same number gives the same result. Default: 1.")
  var seed: UInt64 = 1

  var conditions: SpeakingConditions {
    let speakers = Speaker.cast(voices ?? 8, engines: engines?.list ?? [.flite], seed: seed)
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

/// The voice engines of synthetic speakers: the name of one, or “both” for Flite and eSpeak.
struct SpeakerEngines: Sendable {
  var list: [Speaker.Engine]

  static let names = SpeechCatalog.current.voices.filter(\.isLocal).map(\.name) + ["both"]

  init(_ text: String) throws(UsageError) {
    list = []
    for name in text == "both" ? ["flite", "espeak"] : [text] {
      let entry = try SpeechCatalog.current.lookUp { catalog throws(SpeechCatalogError) in
        try catalog.voiceEntry(name)
      }
      list.append(Speaker.Engine(rawValue: entry.name))
    }
  }
}

extension ValueFormat where Value == SpeakerEngines {
  /// The name of a voice engine, or “both”.
  static var speakerEngines: Self {
    Self("NAME", .choices(SpeakerEngines.names)) { text, _ throws(UsageError) in
      try SpeakerEngines(text)
    }
  }
}

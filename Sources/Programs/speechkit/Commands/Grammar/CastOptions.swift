import SpeechCommand
import SpeechTesting

/// The options of commands that have sentences spoken by synthetic voices.
struct CastOptions: OptionGroup {
  @Option("--voices", as: .count(in: 1...200), help: "The number of different voices. Default: 8.")
  var voices: Int?
  @Option(
    "--engine", as: .speakerEngines,
    help: "The engine of the voices; recognisers understand Flite's far better. Default: flite.")
  var engines: [Speaker.Engine]?
  @Option(
    "--noise", as: .noiseLevels,
    help:
      "The noise: clean, or white, pink, hum or babble with the signal-to-noise ratio in decibels. "
      + "Default: clean,pink:20,pink:10.")
  var noise: [NoiseLevel]?
  @Option(
    "--sentences", as: .count(in: 1...5_000),
    help: "The largest number of sentences; a sample is taken of more. Default: 60.")
  var sentences: Int?
  @Option(
    "--seed", as: .seed,
    help: "The random seed; the same number gives the same result. Default: 1.")
  var seed: UInt64 = 1

  var limit: Int { sentences ?? 60 }

  var conditions: SpeakingConditions {
    SpeakingConditions(
      speakers: Speaker.cast(voices ?? 8, engines: engines ?? [.flite], seed: seed),
      levels: noise ?? SpeakingConditions(speakers: []).levels, seed: seed)
  }
}

extension ValueFormat where Value == [NoiseLevel] {
  /// A list of noises: `clean,pink:20,babble:10`.
  static var noiseLevels: Self {
    Self("LIST") { text, option in
      var levels: [NoiseLevel] = []
      for item in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let level = NoiseLevel(item) else {
          throw UsageError(
            "\(option) takes a list such as clean,pink:20,babble:10 (white, pink, hum and babble, "
              + "-20 to 60 dB), not “\(item)”")
        }
        guard !levels.contains(level) else { throw UsageError("\(option) names “\(item)” twice") }
        levels.append(level)
      }
      return levels
    }
  }
}

extension NoiseLevel {
  /// A noise as it is typed, such as `pink:20`.
  fileprivate init?(_ text: Substring) {
    if text == "clean" {
      self = .clean
      return
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let noise = Noise(rawValue: String(parts[0])),
      let decibels = Double(parts[1]), (-20...60).contains(decibels)
    else { return nil }
    self.init(noise, decibels: decibels)
  }
}

extension ValueFormat where Value == [Speaker.Engine] {
  /// The name of a voice engine, or “both” for Flite and eSpeak.
  static var speakerEngines: Self {
    let names = SpeechCatalog.current.voices.filter(\.isLocal).map(\.name) + ["both"]
    return Self("NAME", .choices(names)) { text, _ in
      try (text == "both" ? ["flite", "espeak"] : [text]).map { name in
        Speaker.Engine(rawValue: try SpeechCatalog.current.voiceEntry(name).name)
      }
    }
  }
}

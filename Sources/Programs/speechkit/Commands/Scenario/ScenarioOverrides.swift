import SpeechTesting

/// Options of `speechkit test` that replace parts of every scenario.
struct ScenarioOverrides: Sendable {
  var seed: UInt64?
  var recogniser: BackendName?
  var voice: BackendName?

  /// The options for a child process.
  var arguments: [String] {
    (seed.map { ["--seed", String($0)] } ?? [])
      + (recogniser.map { ["--recogniser", $0.text] } ?? [])
      + (voice.map { ["--voice", $0.text] } ?? [])
  }

  /// The scenario with another recogniser and another voice. One whose recogniser is exact does not
  /// test recognition, and keeps it.
  func applied(to scenario: Scenario) async throws -> Scenario {
    var scenario = scenario
    if let recogniser, scenario.recogniser != .exact {
      scenario.recogniser = .named(recogniser.text)
    }
    if let voice {
      let name = try await AnyVoice(voice, in: .current).name
      scenario.voice.engine = Speaker.Engine(rawValue: name.entry)
      scenario.voice.voice = name.variant
    }
    return scenario
  }
}

import BrowserSupport
import Foundation
import TestSupport
import Testing

@testable import SpeechLab

/// The pages of reports in a real browser.
@Suite(.serialized)
struct PagesInBrowserTests {
  private static let conditions = SpeakingConditions(
    speakers: Speaker.cast(4, seed: 1), levels: [.clean, NoiseLevel(.pink, decibels: 12)], seed: 1)

  @Test func `the report of confusions is accessible and makes no requests`() async throws {
    let texts = [
      "turn on the light", "turn on the lights", "open the garage door", "play some music",
    ]
    let report = ConfusionReport(
      grammar: "lights", sentences: "sentences", isComplete: true, conditions: Self.conditions,
      commands: texts.map {
        .init(
          text: $0, intent: $0.filter { $0 != " " }, exact: Proportion(5, of: 8),
          understood: Proportion(6, of: 8))
      },
      confusions: [
        .init(
          said: texts[0], heard: texts[1], count: Proportion(3, of: 8), changesMeaning: true,
          countsByLevel: [1, 2], words: [.init(said: "light", heard: "lights", count: 3)],
          advice: "They sound nearly alike.")
      ], words: [.init(said: "light", heard: "lights", count: 3)],
      levels: [
        .init(name: "clean", understood: Proportion(14, of: 16)),
        .init(name: "pink noise", understood: Proportion(10, of: 16)),
      ], speakers: [.init(name: "slt", understood: Proportion(24, of: 32))])
    try await Browser.use { browser in
      let findings = try await StandingPage.inspect(report.html, in: browser, name: "confusions")
      #expect(findings.faults.isEmpty, "\(findings.faults.joined(separator: "\n"))")
      let tree = findings.tree
      #expect(tree.of("heading").count { $0.level == 2 } > 1, "\(tree.outline)")
      #expect(tree.of("table").count > 1, "\(tree.outline)")
      #expect(tree.of("table").allSatisfy { !$0.name.isEmpty }, "\(tree.outline)")
      #expect(tree.of("rowheader").map(\.name).contains { $0.contains(texts[0]) })
      #expect(tree.of("columnheader").count > 2)
    }
  }

  @Test func `the report of a calibration is accessible and makes no requests`()
    async throws
  {
    let trials = (0..<60).map { number in
      CalibrationReport.Trial(
        kind: number % 3 == 0 ? .command : number % 3 == 1 ? .ordinary : .nearMiss, said: "y",
        speaker: 0, level: number % 2, heard: "x", confidence: Float(number) / 60)
    }
    let report = CalibrationReport(grammar: "lights", conditions: Self.conditions, trials: trials)
    try await Browser.use { browser in
      let findings = try await StandingPage.inspect(
        report.html(falseAccepts: 0.02), in: browser, name: "calibration")
      #expect(findings.faults.isEmpty, "\(findings.faults.joined(separator: "\n"))")
      #expect(findings.tree.of("table").allSatisfy { !$0.name.isEmpty })
      #expect(!findings.tree.of("table").isEmpty)
      #expect(findings.tree.of("heading").count > 1)
    }
  }

  @Test func `the report of a lab is accessible and makes no requests`() async throws {
    let trials = (0..<48).map { number in
      let said = "turn on the light in the kitchen \(number / 6)"
      let heard = number % 3 == 0 ? "turn on a <light> & the kitten" : said
      var (words, characters) = (ErrorRate(), ErrorRate())
      words.addWords(said: said, heard: heard)
      characters.addCharacters(said: said, heard: heard)
      return LabReport.Trial(
        speaker: ["flite:slt", "flite:rms", "espeak:en-gb"][number % 3],
        scene: ["clean", "babble 10 dB, 600 ms room, telephone"][number % 2], said: said,
        heard: heard, words: words, characters: characters, seconds: 2, taken: 0.4)
    }
    let rejection = RejectionCurve(
      trials: (0..<40).map { number in
        let isCommand = number % 2 == 0
        let confidence = Float(number) / 60 + (isCommand ? 0.3 : 0)
        return RejectionCurve.Trial(
          kind: isCommand ? .command : .ordinary, said: "\(number)", heard: "x",
          confidence: confidence)
      })
    let report = LabReport(
      seed: 1, lines: 8, speakers: ["flite:slt", "flite:rms", "espeak:en-gb"],
      scenes: ["clean", "babble 10 dB, 600 ms room, telephone"],
      recognisers: [
        .init(name: "pocketsphinx:balanced", trials: trials, rejection: rejection),
        .init(name: "pocketsphinx:fast", trials: Array(trials.dropFirst(6))),
        .init(name: "openai", trials: [], failure: "There is no key for “openai”. Set <one>."),
      ],
      voices: [
        .init(
          name: "flite:slt", firstSound: .median(of: [0.02, 0.03]),
          realTimeFactor: .median(of: [0.01, 0.02])),
        .init(
          name: "elevenlabs", firstSound: .median(of: []), realTimeFactor: .median(of: []),
          failure: "ElevenLabs could not be reached."),
      ])
    try await Browser.use { browser in
      let page = report.html(comparedWith: report.compared(with: report))
      #expect(try PageReader(page).problem == nil)
      let findings = try await StandingPage.inspect(page, in: browser, name: "lab")
      #expect(findings.faults.isEmpty, "\(findings.faults.joined(separator: "\n"))")
      let tree = findings.tree
      #expect(
        tree.of("heading").filter { $0.level == 2 }.map(\.name)
          == [
            "Comparison with the baseline", "Recognisers", "pocketsphinx:balanced",
            "pocketsphinx:fast",
            "Voices",
          ], "\(tree.outline)")
      #expect(tree.of("table").allSatisfy { !$0.name.isEmpty })
      #expect(tree.of("columnheader").allSatisfy { !$0.name.isEmpty })
      #expect(tree.of("columnheader").count { $0.name == "Error" } == 2)
      #expect(tree.of("StaticText").contains { $0.name.contains("Equal error rate") })
      #expect(tree.of("image").count == 5 && tree.of("image").allSatisfy { !$0.name.isEmpty })
      #expect(tree.of("StaticText").contains { $0.name.contains("a <light> & the kitten") })
    }
  }
}

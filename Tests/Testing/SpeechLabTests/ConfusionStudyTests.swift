import BrowserSupport
import Foundation
import SpeechConcurrency
import TestSupport
import Testing

@testable import SpeechLab

/// A complete study with real voices and the real recogniser.
struct ConfusionStudyTests {
  /// One pair of commands sounds alike; the others have nothing in common.
  private static let lights = CommandGrammar("lights") {
    Intent("one") { "turn on the light" }
    Intent("all") { "turn on the lights" }
    Intent("garage") { "open the garage door" }
    Intent("music") {
      "play some music"
      Optionally { "please" }
    }
  }

  private static let conditions = SpeakingConditions(
    speakers: Speaker.cast(4, seed: 1), levels: [.clean, NoiseLevel(.pink, decibels: 12)], seed: 1)

  private static let report = Task {
    try await ConfusionStudy(TestedGrammar(lights), conditions: conditions).run()
  }

  @Test func `two commands that sound alike are found, with the words that cause it`() async throws
  {
    let report = try await Self.report.value
    #expect(report.isComplete)
    #expect(report.commands.map(\.text).count == 5)
    let lights: Set = ["turn on the light", "turn on the lights"]
    let planted = report.harmful.filter { lights == [$0.said, $0.heard] }
    let worst = try #require(planted.first)
    #expect(worst.count.count >= 2, "\(report.text)")
    #expect(
      [["light", "lights"], ["lights", "light"]].contains([
        worst.words[0].said, worst.words[0].heard,
      ]))
    #expect(worst.advice.contains("sound nearly alike: of 4 sounds 1 differs"))
    #expect(report.words.contains { [$0.said, $0.heard].sorted() == ["light", "lights"] })
    // Commands without common words are not confused without noise.
    #expect(report.levels[0].understood.share > 0.8)
    #expect(report.commands.first { $0.intent == "garage" }?.understood.count ?? 0 >= 4)
    #expect(report.text.contains("turn on the light"))
  }

  @Test func `equal seeds give equal reports, with one decoder and with three`() async throws {
    let first = try await Self.report.value
    #expect(
      try await ConfusionStudy(TestedGrammar(Self.lights), conditions: Self.conditions).run()
        == first)
    let recogniser = try TestedGrammar(Self.lights).recogniser()
    let groups = [1, 3].map {
      RecognitionWorkers(
        recogniser.configuration, locale: Locale(identifier: "en-US"), count: $0)
    }
    var heard: [[RecognitionWorkers.Outcome]] = []
    for workers in groups {
      heard.append(
        try await workers.recognise(0..<6) { number in
          let speaker = Speaker(.flite, voice: number % 2 == 0 ? "rms" : "kal")
          let scene = AcousticScene(backgrounds: [Background(.noise(.white), decibels: 15)])
          return try await scene.heard(
            try await speaker.say("open the garage door"), seed: UInt64(number))
        })
    }
    #expect(heard[0] == heard[1])
    #expect(heard[0].count == 6)
  }

  @Test func `a report can be encoded and decoded`() async throws {
    let report = try await Self.report.value
    let data = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(ConfusionReport.self, from: data) == report)
  }

  @Test func `the page is well-formed, self-contained and complete`()
    async throws
  {
    let report = try await Self.report.value
    let page = try PageReader(report.html)
    #expect(page.problem == nil)
    #expect(page.elements.isDisjoint(with: ["script", "link", "img", "iframe", "object"]))
    #expect(!report.html.contains("http-equiv"))
    // Every link leads to an element of the page.
    #expect(!page.links.isEmpty)
    for link in page.links {
      #expect(link.hasPrefix("#") && page.ids.contains(String(link.dropFirst())), "\(link)")
    }
    for confusion in report.harmful {
      #expect(page.text.contains(confusion.said))
      #expect(page.text.contains(confusion.advice))
    }
    // Regions that may be wider than the window are focusable and have names.
    #expect(page.regions > 2 && page.regions == page.namedRegions)
  }

  @Test func `texts of a grammar are escaped in the page`() throws {
    let hostile = "</title><script>alert(1)</script>\u{1}\u{FFFE}&\"'"
    var conditions = Self.conditions
    conditions.levels = [.clean]
    let report = ConfusionReport(
      grammar: hostile, sentences: hostile, isComplete: true, conditions: conditions,
      commands: [
        .init(
          text: hostile, intent: hostile, exact: Proportion(1, of: 4),
          understood: Proportion(1, of: 4))
      ],
      confusions: [
        .init(
          said: hostile, heard: hostile + "2", count: Proportion(3, of: 4), changesMeaning: true,
          countsByLevel: [3], words: [.init(said: hostile, heard: "", count: 3)], advice: hostile)
      ], words: [.init(said: hostile, heard: "", count: 3)],
      levels: [.init(name: hostile, understood: Proportion(1, of: 4))], speakers: [])
    let page = try PageReader(report.html)
    #expect(page.problem == nil)
    #expect(!page.elements.contains("script"))
  }
}

import BrowserSupport
import SpeechConcurrency
import TestSupport
import Testing

@testable import SpeechLab

struct RecognitionLabTests {
  private static let grammar =
    "#JSGF V1.0; grammar home; public <order> = turn ( on | off ) the ( kitchen | bedroom ) light;"

  private static func lab(seed: UInt64 = 1) -> RecognitionLab {
    RecognitionLab(
      lines: ["turn on the kitchen light", "turn off the bedroom light"],
      speakers: Speaker.cast(2, seed: 1),
      scenes: [
        AcousticScene(), AcousticScene(backgrounds: [Background(.noise(.pink), decibels: 15)]),
      ], seed: seed)
  }

  private static let recogniser = RecognitionLab.Recogniser(
    "pocketsphinx", of: PocketSphinxDecoder.self,
    configuration: PocketSphinxConfiguration(search: .grammar(grammar)).withStandardPronunciations,
    hasGrammar: true)

  @Test func `every voice speaks every line in every scene, reproducibly`() async throws {
    let report = try await Self.lab().run([Self.recogniser])
    let recogniser = report.recognisers[0]
    #expect(recogniser.trials.count == 8)
    #expect(Set(recogniser.trials.map(\.key)).count == 8)
    #expect(recogniser.wordErrorRate.value < 0.2, "\(report.text)")
    #expect(report.voices.map(\.name) == ["flite:slt", "flite:rms"])
    #expect(report.voices.allSatisfy { $0.firstSound.value > 0 && $0.realTimeFactor.value > 0 })
    let again = try await Self.lab().run([Self.recogniser])
    #expect(again.recognisers[0].trials.map(\.heard) == recogniser.trials.map(\.heard))
    #expect(again.compared(with: report).allSatisfy { !$0.isWorse && $0.change?.difference == 0 })
    #expect(try PageReader(report.html(comparedWith: again.compared(with: report))).problem == nil)
  }

  @Test func `recordings are recognised, and those without words rejected`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "lab-\(UUID())", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let speaker = Speaker.cast(1, seed: 1)[0]
    let said = ["turn on the kitchen light", "my brother is moving", "turn off the bedroom light"]
    var list = "# Two orders, and something else.\n"
    for (number, text) in said.enumerated() {
      try AudioFile.write(try await speaker.say(text), to: folder.appending(path: "\(number).wav"))
      list += "\(number).wav\t\(text.hasPrefix("turn") ? text : "")\n"
    }
    let lab = RecognitionLab(recordings: try RecordingEntry.list(list, in: folder))
    let report = try await lab.run([Self.recogniser])
    let recogniser = report.recognisers[0]
    #expect(recogniser.trials.map(\.said) == [said[0], said[2]])
    #expect(recogniser.trials.map(\.heard) == [said[0], said[2]])
    #expect(report.speakers == ["recordings"])
    #expect(report.voices.isEmpty)
    let resources = try #require(recogniser.resources)
    #expect(resources.processorTime > 0)
    #expect(report.text.contains("processor"))
    // At least one of the commands is surer than the other speech.
    let rejection = try #require(recogniser.rejection)
    #expect(rejection.trials.filter { $0.kind == .ordinary }.map(\.said) == ["1.wav"])
    #expect(try PageReader(report.html()).problem == nil)
  }

  /// A report of a recogniser with that word error rate and independent errors in each utterance.
  private static func report(errors: Double, seed: UInt64) -> LabReport {
    var random = SeededNumbers(seed: seed)
    let trials = (0..<600).map { index -> LabReport.Trial in
      let said = (0..<6).map { "word\(index)x\($0)" }
      let heard = said.map { random.fraction() < errors ? "else" : $0 }
      var (words, characters) = (ErrorRate(), ErrorRate())
      words.add(said: said, heard: heard)
      characters.add(said: said, heard: heard)
      return LabReport.Trial(
        speaker: "a", scene: "clean", said: said.joined(separator: " "),
        heard: heard.joined(separator: " "), words: words, characters: characters, seconds: 2,
        taken: 0.1)
    }
    return LabReport(
      seed: seed, lines: 600, speakers: ["a"], scenes: ["clean"],
      recognisers: [.init(name: "one", trials: trials)], voices: [])
  }

  /// The same report with additional word errors, like those of a changed recogniser.
  private static func planted(_ report: LabReport, points: Double, seed: UInt64) -> LabReport {
    var random = SeededNumbers(seed: seed)
    var report = report
    for index in report.recognisers[0].trials.indices {
      let trial = report.recognisers[0].trials[index]
      let said = trial.said.split(separator: " ")
      let heard = trial.heard.split(separator: " ").enumerated().map { place, word in
        word == said[place] && random.fraction() < points ? "planted" : word
      }
      var words = ErrorRate()
      words.add(said: said, heard: heard)
      report.recognisers[0].trials[index].words = words
    }
    return report
  }

  @Test func `a planted regression of three points is detected, without false alarms`() throws {
    let baseline = Self.report(errors: 0.08, seed: 1)
    for seed in 0..<20 as Range<UInt64> {
      // With another seed all errors differ, which is harder than comparing runs of one seed.
      let unchanged = Self.report(errors: 0.08, seed: 100 + seed)
      #expect(try !#require(unchanged.compared(with: baseline).first).isWorse, "\(seed)")
      let worse = Self.planted(baseline, points: 0.033, seed: seed)
      let comparison = try #require(worse.compared(with: baseline).first)
      #expect(comparison.isWorse, "\(comparison.text)")
    }
    let other = LabReport(
      seed: 1, lines: 0, speakers: [], scenes: [], recognisers: [.init(name: "one", trials: [])],
      voices: [])
    #expect(baseline.compared(with: other).map(\.isWorse) == [true])
  }
}

import Foundation
import SpeechConcurrency
import SpeechLab
import SpeechTesting
import TestSupport
import Testing

/// The gate on real recognition: PocketSphinx hears Flite over noise.
struct LabGateTests {
  private static let rooms = ["kitchen", "bedroom", "bathroom", "garage", "office"]
  private static let things = ["light", "heater", "window", "fan", "radio"]
  private static let numbers = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
  ]
  private static let grammar = """
    #JSGF V1.0; grammar home; public <order> = set the ( \(rooms.joined(separator: " | ")) ) \
    ( \(things.joined(separator: " | ")) ) to ( \(numbers.joined(separator: " | ")) );
    """

  /// Returns sentences of the grammar.
  private static func lines(_ count: Int) -> [String] {
    var random = SeededNumbers(seed: 5, part: "gate")
    return (0..<count).map { _ in
      "set the \(rooms[random.next(5)]) \(things[random.next(5)]) to \(numbers[random.next(9)])"
    }
  }

  /// Four variations of Kal, the fastest of Flite's voices.
  private static let speakers = [(0.5, 1.0), (0.4, 0.94), (0.55, 1.06), (0.5, 1.1)].map {
    Speaker(.flite, voice: "kal", rate: Float($0.0), pitch: Float($0.1))
  }

  private static func lab(_ lines: [String], seed: UInt64) -> RecognitionLab {
    RecognitionLab(
      lines: lines, speakers: speakers,
      scenes: [AcousticScene(backgrounds: [Background(.noise(.pink), decibels: 10)])],
      seed: seed)
  }

  private static let configuration = PocketSphinxConfiguration(search: .grammar(grammar))
    .withStandardPronunciations
  private static let recogniser = RecognitionLab.Recogniser(
    "recogniser", of: PocketSphinxDecoder.self, configuration: configuration, hasGrammar: true)
  /// A hiss that raises the word error rate by three points.
  private static let worse = RecognitionLab.Recogniser(
    "recogniser", of: FaultyDecoder<PocketSphinxDecoder>.self,
    configuration: .init(inner: configuration, hiss: -42))

  @Test func `a regression of three points is detected, without false alarms`() async throws {
    let lines = Self.lines(24)
    let baseline = try await Self.lab(lines, seed: 1).run([Self.recogniser])
    for run in 0..<Endurance.count(full: 20, short: 8) {
      // Different noise each time, which is harder than comparing runs of one seed, and a quarter
      // of the lines, because false alarms are most likely with few utterances.
      let some = lines.indices.filter { $0 % 4 == run % 4 }.map { lines[$0] }
      let now = try await Self.lab(some, seed: UInt64(2 + run)).run([Self.recogniser])
      let comparison = try #require(now.compared(with: baseline).first)
      #expect(!comparison.isWorse, "\(comparison.text)")
      #expect(comparison.change?.count == some.count * Self.speakers.count)
    }
    let now = try await Self.lab(lines, seed: 1).run([Self.worse])
    let comparison = try #require(now.compared(with: baseline).first)
    #expect(comparison.isWorse, "\(comparison.text)")
    #expect((0.02...0.05).contains(comparison.change?.difference ?? 0), "\(comparison.text)")
  }
}

import Foundation
import SpeechConcurrency
import SpeechTesting
import Testing

@Suite(.serialized) struct ScenarioTests {
  /// A scenario with a grammar of lights beside it.
  static func scenario(_ text: String) throws -> Scenario {
    let folder = FileManager.default.temporaryDirectory.appending(path: "scenario-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(lights.utf8).write(to: folder.appending(path: "home.gram"))
    return try Scenario(text, file: folder.appending(path: "test.scenario"))
  }

  static let lights = """
    #JSGF V1.0;
    grammar home;
    public <switch_light> = turn ( on | off ) the ( kitchen | bedroom ) light;
    public <thanks> = thank you;
    public <story> = tell me a story;
    """

  static let kitchen = """
    scenario "The kitchen light"
    grammar home.gram
    reply "As you wish."
    reply "You are welcome."
    person Anna flite:slt
    Anna says "turn on the kitchen light" at 1 s
    Anna says "thank you" 500 ms after reply ended
    expect heard "turn on the kitchen light" within 2 s
    expect said "As you wish." within 2 s
    expect heard "thank you"
    expect said "You are welcome."
    expect no interrupted
    expect first sound within 500 ms
    expect total within 2 s
    """

  @Test func `a conversation is held and judged`() async throws {
    let outcome = try await Self.scenario(Self.kitchen).run()
    #expect(outcome.isPassed, "\(outcome.account)")
    #expect(outcome.lines.map(\.person) == ["Anna", "Anna"])
    #expect(!outcome.heard.isEmpty && !outcome.played.isEmpty)
  }

  @Test func `words alone are as good where the ear is not what is tested`() async throws {
    let outcome = try await Self.scenario("recogniser exact\n" + Self.kitchen).run()
    #expect(outcome.isPassed, "\(outcome.account)")
  }

  @Test func `the log of a seed is always the same`() async throws {
    let text = Self.kitchen.replacing("person", with: "noise pink 20 dB\nroom 200 ms\nperson")
    let scenario = try Self.scenario(text)
    let logs = [try await scenario.record(seed: 4).log, try await scenario.record(seed: 4).log]
    #expect(logs[0] == logs[1])
    #expect(logs[0].contains("turn on the kitchen light"))
  }

  @Test func `what failed is told with the words and the story`() async throws {
    let text = """
      grammar home.gram
      reply "As you wish."
      person Anna flite:slt
      Anna says "turn on the kitchen light" at 1 s
      Anna says "thank you" after interruption
      expect heard "turn off the bedroom light"
      expect said "As you wish." within 100 ms
      expect interrupted
      expect nothing said
      expect no heard "turn on the kitchen light"
      expect end of turn within 10 ms
      """
    let outcome = try await Self.scenario(text).run()
    #expect(!outcome.isPassed)
    #expect(outcome.unsaid == ["thank you"])
    let objections = outcome.verdicts.map { $0.objection ?? "" }
    #expect(objections[0].contains("wanted turn off the bedroom light"), "\(objections[0])")
    #expect(objections[0].contains("came   turn on  the kitchen light"), "\(objections[0])")
    #expect(objections[1].contains("too late"), "\(objections[1])")
    #expect(objections[2].contains("Nothing of the kind happened"))
    #expect(objections.allSatisfy { !$0.isEmpty }, "\(objections)")
    print(outcome.account)
  }
}

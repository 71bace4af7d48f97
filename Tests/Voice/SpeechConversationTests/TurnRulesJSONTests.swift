import Foundation
import SpeechConversation
import Testing

struct TurnRulesJSONTests {
  private func copy(_ rules: TurnRules) throws -> TurnRules {
    try JSONDecoder().decode(TurnRules.self, from: JSONEncoder().encode(rules))
  }

  @Test func `every rule survives a round trip through JSON`() throws {
    #expect(try copy(TurnRules()) == TurnRules())
    var rules = TurnRules()
    rules.attention = .wakeWord(["b", "a"], window: .milliseconds(7_500))
    rules.maximumTurn = .seconds(7)
    rules.interruption.isAllowed = false
    rules.interruption.minimumSpeech = .milliseconds(450)
    rules.interruption.minimumWords = 2
    rules.interruption.listenerSounds = ["x"]
    rules.interruption.stopWords = []
    rules.isHalfDuplex = true
    rules.echoTail = .milliseconds(1)
    rules.ignoresOwnWords = false
    rules.answersEarly = true
    rules.prompt = .init(after: .seconds(9), texts: ["a", "b"])
    rules.awayAfter = .seconds(60)
    rules.fillerDelay = nil
    rules.fillerText = "p"
    rules.replyLimit = .seconds(3)
    rules.failureText = "f"
    rules.hasEarcon = false
    #expect(try copy(rules) == rules)
    rules.attention = .pushToTalk
    #expect(try copy(rules) == rules)
    // No rule here has its default, so that one that is missing in the JSON is found.
    let defaults = Mirror(reflecting: TurnRules()).children.map { "\($0)" }
    for (index, child) in Mirror(reflecting: rules).children.enumerated() {
      #expect("\(child)" != defaults[index])
    }
  }

  @Test func `missing rules have their defaults, and times are in seconds`() throws {
    func read(_ text: String) throws -> TurnRules {
      try JSONDecoder().decode(TurnRules.self, from: Data(text.utf8))
    }
    var rules = TurnRules()
    rules.fillerDelay = nil
    #expect(try read("{}") == rules)
    rules.attention = .wakeWord(["computer"], window: .seconds(8))
    rules.interruption.minimumSpeech = .milliseconds(250)
    #expect(
      try read(#"{"wakeWords":["computer"],"interruption":{"minimumSpeech":0.25}}"#) == rules)
    for text in [#"{"maximumTurn":-1}"#, #"{"replyLimit":1e99}"#, #"{"wakeWords":"x"}"#, "[]"] {
      #expect(throws: DecodingError.self) { try read(text) }
    }
  }
}

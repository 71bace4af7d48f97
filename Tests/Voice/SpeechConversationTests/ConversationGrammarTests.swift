import SpeechConversation
import SpeechGrammar
import Testing

struct ConversationGrammarTests {
  @Test func `a grammar for a conversation has the wake word and the stop words`() throws {
    let home = CommandGrammar("home") {
      Intent("wake_word") {
        "lights"
        Slot("state") {
          "on"; "off"
        }
      }
    }
    var rules = TurnRules()
    #expect(try CommandMatcher(home.inConversation(rules)).match("computer lights on") == nil)
    #expect(try CommandMatcher(home.inConversation(rules)).match("be quiet") != nil)
    rules.attention = .wakeWord(["computer", "hey you"], window: .seconds(5))
    let matcher = try CommandMatcher(home.inConversation(rules))
    #expect(matcher.match("hey you lights on")?["state"]?.code == "on")
    #expect(matcher.match("lights off")?.intent == "wake_word")
    #expect(matcher.match("computer")?.intent == "wake_word_")
    #expect(matcher.match("computer stop") == nil)
    rules.interruption.stopWords = []
    #expect(try CommandMatcher(home.inConversation(rules)).match("stop") == nil)
  }
}

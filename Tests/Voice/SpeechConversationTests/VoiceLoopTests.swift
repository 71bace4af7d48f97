import Foundation
import SpeechAudio
import SpeechConversation
import SpeechTesting
import Testing

@Suite(.serialized) struct VoiceLoopTests {
  @Test func `a turn is heard, answered and remembered`() async throws {
    try await VirtualWorld.run { world in
      let scene = LoopScene(world, responder: ScriptedResponder(["Hello to you.", "Fine."]))
      try await scene.start()
      try await scene.say("Hello.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("Hello to you.") }
      try await scene.say("Good morning.", after: .seconds(1))
      try await scene.wait { $0 == .replyFinished("Fine.") }
      await scene.stop()
      #expect(
        scene.loop.history.entries == [
          .init(.user, "hello"), .init(.reply, "Hello to you."), .init(.user, "good morning"),
          .init(.reply, "Fine."),
        ])
    }
  }

  @Test func `after an interruption, the history holds the words that were heard`() async throws {
    try await VirtualWorld.run { world in
      let text = "Once upon a time there was a king who had three daughters and one old horse."
      let scene = LoopScene(
        world, responder: ScriptedResponder([.init(stringLiteral: text), "As you like."]))
      try await scene.start()
      try await scene.say("Tell me a story.", after: .seconds(1))
      try await scene.wait { if case .speaking = $0 { true } else { false } }
      try await scene.say("No thank you.", after: .seconds(2))
      try await scene.wait { $0 == .replyFinished("As you like.") }
      await scene.stop()
      let entry = scene.loop.history.entries[1]
      #expect(entry.isInterrupted)
      #expect(text.hasPrefix(entry.text) && entry.text.count > 10)
      let timings = scene.events.compactMap { event -> TurnTimings? in
        if case .timings(let timings) = event.kind { timings } else { nil }
      }
      #expect(timings.map(\.interruption) == [nil, TurnRules().interruption.minimumSpeech])
    }
  }
}

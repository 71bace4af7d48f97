import Foundation
import SpeechConversation
import SpeechTesting
import TestSupport
import Testing

/// A conversation of ten minutes with real voices and a real recogniser, which runs in seconds.
@Suite(.serialized) struct LongConversationTests {
  private static let lines = [
    "Hello.", "Good morning.", "Tell me a story.", "What time is it?", "Turn on the kitchen light.",
    "Yes please.", "No thank you.",
  ]

  private static let turns = Endurance.count(full: 40, short: 8)

  /// Holds a conversation of many turns, some of them during the reply, and returns a log of all
  /// events.
  @MainActor private static func hold(in world: VirtualWorld) async throws -> [String] {
    let scene = LoopScene(
      world,
      responder: ScriptedResponder(
        [
          "Hello to you.", .init(timed: [(.milliseconds(700), .text("That took a moment."))]),
          "Once upon a time there was a king who had three daughters. They all liked tea.",
          "It is late. You should go to bed.",
        ], clock: world.clock))
    try await scene.start()
    var numbers = SplitMix(seed: 40)
    for turn in 0..<turns {
      try await scene.say(lines[turn % lines.count], after: .seconds(1))
      try await scene.wait {
        if case .userFinal = $0 { true } else if case .userIgnored = $0 { true } else { false }
      }
      try await scene.wait(.milliseconds(Int.random(in: 500...14_000, using: &numbers)))
    }
    await scene.stop()
    return scene.log
  }

  @Test func `two runs of a long conversation are identical`() async throws {
    let first = try await VirtualWorld.run { try await Self.hold(in: $0) }
    let second = try await VirtualWorld.run { try await Self.hold(in: $0) }
    #expect(first == second)
    #expect(first.count { $0.contains("userFinal") } >= Self.turns - 2)
    #expect(!Endurance.isFull || first.contains { $0.contains("interrupted") })
    let end = try #require(first.last.flatMap { Double($0.prefix { $0 != " " }) })
    #expect(end > Double(Self.turns) * 5)
  }
}

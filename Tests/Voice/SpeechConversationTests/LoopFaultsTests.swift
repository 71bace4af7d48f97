import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechTesting
import TestSupport
import Testing

/// Failures around a loop, none of which ends it.
@Suite(.serialized) struct LoopFaultsTests {
  struct Broken: Error, LocalizedError {
    var errorDescription: String? { "The server is broken." }
  }

  @Test func `a responder that waits on the machine's clock is reported by name`() async throws {
    struct Sluggish: Responder {
      func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
        .pieces { pieces in
          try await Task.sleep(for: .seconds(1))
          pieces.yield(.text("Here I am."))
        }
      }
    }
    await #expect(
      throws: VirtualWorldError.usedHost(
        HostUse(handler: "Sluggish", kind: .pause, function: "Task.sleep"))
    ) {
      try await VirtualWorld.run { world in
        let bench = LoopBench(world, responder: Sluggish())
        try await bench.loop.start()
        try await bench.say("hello")
        try await bench.pass(5)
        await bench.stop()
      }
    }
  }

  @Test func `a responder that waits in external work takes no virtual time`() async throws {
    struct Remote: Responder {
      func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
        .pieces { pieces in
          let text = try await ExternalWork.run {
            try await Task.sleep(for: .milliseconds(.random(in: 0...20)))
            return "Here I am."
          }
          pieces.yield(.text(text))
        }
      }
    }
    var histories: [[VoiceLoopEvent]] = []
    for _ in 0..<3 {
      histories.append(
        try await VirtualWorld.run { world in
          let bench = LoopBench(world, responder: Remote())
          try await bench.loop.start()
          try await bench.say("hello")
          try await bench.pass(5)
          await bench.stop()
          return bench.events.withLock { $0 }
        })
    }
    let events = try #require(histories.first)
    #expect(histories.allSatisfy { $0 == events })
    #expect(events.contains { $0.kind == .replyFinished("Here I am.") })
  }

  @Test func `a failure of the responder is reported, and the loop apologises`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(
        world,
        responder: ScriptedResponder(
          [.init(timed: [], failure: Broken()), "Now it works."], clock: world.clock))
      try await bench.loop.start()
      try await bench.say("hello")
      try await bench.pass(5)
      #expect(bench.kinds.contains(.replyFailed("The server is broken.")))
      #expect(bench.kinds.contains(.replyFinished("Sorry, that did not work.")))
      try await bench.say("again")
      try await bench.pass(5)
      #expect(bench.kinds.contains(.replyFinished("Now it works.")))
      await bench.stop()
    }
  }

  @Test func `a slow responder gets a filler, and one that never answers times out`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(
        world,
        responder: ScriptedResponder(
          [
            .init(timed: [(.seconds(10), .text("Here it is."))]), .init(timed: [], isEndless: true),
          ], clock: world.clock))
      try await bench.loop.start()
      try await bench.say("hello")
      try await bench.pass(20)
      #expect(bench.kinds.contains(.replyFinished("One moment. Here it is.")))
      try await bench.say("again")
      try await bench.pass(60)
      #expect(bench.kinds.contains(.replyFailed("There was no answer in time.")))
      #expect(
        bench.kinds.contains(.replyFinished("One moment. Sorry, that did not work.")))
      await bench.stop()
    }
  }

  @Test func `an endless reply can be interrupted`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(
        world,
        responder: ClosureStreamResponder { pieces in
          while true {
            pieces.yield(.text("And so on. "))
            try await world.clock.sleep(until: world.clock.time + .milliseconds(500))
          }
        })
      try await bench.loop.start()
      try await bench.say("hello")
      try await bench.pass(10)
      try await bench.say("stop")
      let sounds = bench.speaker.sounds.count
      try await bench.pass(30)
      #expect(bench.speaker.sounds.count == sounds)
      #expect(bench.loop.history.last(.reply)?.hasPrefix("And so on. And so on.") == true)
      await bench.stop()
    }
  }

  @Test func `a chain uses the next responder if one fails or is slow`() async throws {
    try await VirtualWorld.run { world in
      let chain = ResponderChain(
        [
          ScriptedResponder([.init(timed: [], failure: Broken())], clock: world.clock),
          ScriptedResponder([.init(timed: [], isEndless: true)], clock: world.clock),
          ScriptedResponder(["I am here."]),
        ], timeout: .seconds(2), clock: world.clock)
      let bench = LoopBench(world, responder: chain)
      try await bench.loop.start()
      try await bench.say("hello")
      try await bench.pass(6)
      #expect(bench.kinds.contains(.replyFinished("I am here.")))
      await bench.stop()
      // After the first piece, a failure ends the chain.
      let broken = ResponderChain(
        [
          ScriptedResponder(
            [.init(timed: [(.zero, .text("Well, "))], failure: Broken())], clock: world.clock),
          ScriptedResponder(["No."]),
        ], clock: world.clock)
      var said = ""
      await #expect(throws: Broken.self) {
        for try await piece in broken.reply(to: UserTurn(text: "x"), in: ConversationHistory()) {
          if case .text(let text) = piece { said += text }
        }
      }
      #expect(said == "Well, ")
    }
  }

  @Test func `a recogniser that fails is restarted`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(world, responder: EchoResponder())
      try await bench.loop.start()
      try await bench.say("hello")
      try await bench.pass(3)
      bench.ears.startErrors = [.notAvailable, .audioEngineError("gone")]
      bench.ears.begin()
      bench.ears.fail(.recognitionFailed("It broke."))
      try await bench.pass(10)
      #expect(bench.kinds.contains(.recognitionFailed(.recognitionFailed("It broke."))))
      #expect(bench.kinds.contains(.recognitionReturned))
      try await bench.say("again")
      try await bench.pass(3)
      #expect(bench.kinds.contains(.replyFinished("again")))
      await bench.stop()
    }
  }

  @Test func `no text is lost if the voice fails`() async throws {
    try await VirtualWorld.run { world in
      let voice = MockSpeechSynthesisProvider()
      voice.speakError = .playbackFailed("no speakers")
      let bench = LoopBench(world, responder: ScriptedResponder(["One. Two."]), synthesis: voice)
      try await bench.loop.start()
      try await bench.say("hello")
      try await bench.pass(3)
      #expect(bench.kinds.contains(.replyText("One. Two.")))
      #expect(bench.kinds.contains(.voiceFailed(.playbackFailed("no speakers"))))
      voice.speakError = nil
      try await bench.say("again")
      try await bench.pass(3)
      #expect(voice.lastSpokenText == "Two.")
      await bench.stop()
    }
  }

  @Test func `a voice that hangs times out, and the next sentence is spoken`() async throws {
    try await VirtualWorld.run { world in
      let speaker = MemorySpeaker(clock: world.clock)
      let voice = VoiceSynthesisProvider(
        engine: FaultyVoiceEngine(FliteEngine(), [1: .hangs], clock: world.clock),
        configuration: .default, output: speaker)
      let bench = LoopBench(
        world, responder: ScriptedResponder(["This is never heard of. This is heard."]),
        synthesis: voice
      ) { $0.voiceLimit = .seconds(5) }
      try await bench.loop.start()
      try await bench.say("hello")
      try await bench.pass(4)
      #expect(speaker.sounds.isEmpty)
      try await bench.pass(10)
      #expect(
        bench.kinds.contains {
          if case .voiceFailed(.playbackFailed) = $0 { true } else { false }
        })
      #expect(bench.kinds.contains(.speaking("This is heard.")))
      await bench.stop()
    }
  }

  @Test func `the loop can be paused, resumed and ended at any moment`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(world, responder: EchoResponder())
      try await bench.loop.start()
      await #expect(throws: VoiceLoopError.alreadyRunning) { try await bench.loop.start() }
      try await bench.say("a rather long sentence that takes some time to say")
      try await bench.pass(0.5)
      bench.loop.pause()
      try await bench.pass(5)
      #expect(!bench.ears.isListening)
      #expect(bench.kinds.contains { if case .interrupted = $0 { true } else { false } })
      try await bench.loop.resume()
      try await bench.say("hello")
      try await bench.pass(0.3)
      bench.loop.cancel()
      try await bench.world.settle()
      #expect(!bench.loop.isRunning)
      #expect(bench.kinds.last == .ended)
      let sounds = bench.speaker.sounds
      try await bench.pass(5)
      #expect(bench.speaker.sounds == sounds)
    }
  }

  @Test func `the loop ends after its goodbye has been spoken`() async throws {
    try await VirtualWorld.run { world in
      let bench = LoopBench(
        world, responder: ScriptedResponder([.init([.text("So long."), .goodbye])])
      ) { $0.greeting = "Hello." }
      try await bench.loop.start()
      try await bench.pass(3)
      try await bench.say("goodbye")
      try await bench.pass(5)
      #expect(bench.kinds.suffix(2) == [.replyFinished("So long."), .ended])
      #expect(
        bench.loop.history.entries == [
          .init(.reply, "Hello."), .init(.user, "goodbye"), .init(.reply, "So long."),
        ])
    }
  }

  @Test func `random interruptions keep the events in order`()
    async throws
  {
    try await VirtualWorld.run { world in
      let bench = LoopBench(world, responder: EchoResponder())
      try await bench.loop.start()
      var numbers = SplitMix(seed: 3)
      let turns = Endurance.count(full: 1_000, short: 100)
      for turn in 0..<turns {
        bench.ears.begin()
        if .random(using: &numbers) { bench.ears.guess("turn") }
        bench.ears.finish(
          ["turn \(turn) it is", "mhm", "stop", nil][Int.random(in: 0...3, using: &numbers)])
        try await bench.pass(.random(in: 0...1.5, using: &numbers))
      }
      try await bench.pass(5)
      await bench.stop()
      // A reply is prepared, starts, is held and resumes, and ends once.
      var isThinking = false
      var isHeld = false
      var ends = 0
      for kind in bench.kinds {
        switch kind {
        case .thinking: (isThinking, isHeld) = (true, false)
        case .speaking: #expect(isThinking)
        case .replyHeld:
          #expect(!isHeld)
          isHeld = true
        case .replyResumed:
          #expect(isHeld)
          isHeld = false
        case .replyFinished, .interrupted: ends += 1
        default: break
        }
      }
      let replies = bench.loop.history.entries.filter { $0.speaker == .reply }
      #expect(replies.count == ends && ends > turns / 5)
      #expect(bench.kinds.last == .ended)
    }
  }
}

/// A responder with a closure that yields pieces.
private struct ClosureStreamResponder: Responder {
  let write: @Sendable (ReplyStream.Continuation) async throws -> Void

  func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    .pieces { pieces in try await write(pieces) }
  }
}

import Foundation
import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechGrammar
import SpeechTesting
import Testing

struct TurnTimingsTableTests {
  private static func table(_ milliseconds: [Int]) -> TurnTimingsTable {
    TurnTimingsTable(
      milliseconds.enumerated().map { turn, time in
        var timings = TurnTimings(turn: turn + 1)
        timings.endOfTurn = .milliseconds(time)
        return timings
      })
  }

  @Test func `percentiles are times that were measured`() {
    let table = Self.table([300, 100, 200, 400])
    #expect(table.median(.endOfTurn) == .milliseconds(200))
    #expect(table.percentile(95, .endOfTurn) == .milliseconds(400))
    #expect(table.percentile(0, .endOfTurn) == .milliseconds(100))
    #expect(table.median(.firstSound) == nil)
    #expect(Self.table(Array(1...100)).percentile(95, .endOfTurn) == .milliseconds(95))
    #expect(TurnTimingsTable().median(.total) == nil)
  }

  @Test func `the last timings of a turn count`() {
    var timings = TurnTimings(turn: 1)
    timings.endOfTurn = .seconds(1)
    var later = timings
    later.interruption = .seconds(2)
    let table = TurnTimingsTable(events: [
      .init(time: .zero, turn: 1, kind: .timings(timings)),
      .init(time: .zero, turn: 1, kind: .away),
      .init(time: .zero, turn: 1, kind: .timings(later)),
    ])
    #expect(table.turns == [later])
  }

  @Test func `Prometheus gets a summary`() {
    #expect(
      Self.table([300, 100]).prometheusText == """
        # HELP speechkit_turn_stage_seconds How long the stages of a voice conversation's turns took.
        # TYPE speechkit_turn_stage_seconds summary
        speechkit_turn_stage_seconds{stage="endOfTurn",quantile="0.5"} 0.1
        speechkit_turn_stage_seconds{stage="endOfTurn",quantile="0.95"} 0.3
        speechkit_turn_stage_seconds_sum{stage="endOfTurn"} 0.4
        speechkit_turn_stage_seconds_count{stage="endOfTurn"} 2

        """)
  }

  @Test func `OpenTelemetry gets a histogram, with its long numbers as strings`() throws {
    let data = try Self.table([300, 100]).openTelemetryJSON(
      from: Date(timeIntervalSince1970: 1_700_000_000),
      to: Date(timeIntervalSince1970: 1_700_000_001.5))
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"{"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"speechkit"}}]},"scopeMetrics":[{"metrics":[{"description":"How long the stages of a voice conversation's turns took.","histogram":{"aggregationTemporality":2,"dataPoints":[{"attributes":[{"key":"stage","value":{"stringValue":"endOfTurn"}}],"bucketCounts":["0","1","0","1","0","0","0","0","0","0","0","0","0"],"count":"2","explicitBounds":[0.05,0.1,0.2,0.3,0.5,0.75,1,1.5,2,3,5,10],"max":0.3,"min":0.1,"startTimeUnixNano":"1700000000000000000","sum":0.4,"timeUnixNano":"1700000001500000000"}]},"name":"speechkit.turn.stage.duration","unit":"s"}],"scope":{"name":"SpeechKit"}}]}]}"#
    )
  }
}

@Suite(.serialized) struct DecisionTraceTests {
  @MainActor private static func run(
    rules: TurnRules = TurnRules(), replies: [String] = ["A rather long reply to that."],
    _ body:
      @escaping @MainActor @Sendable (VirtualWorld, ScriptedRecogniser, VoiceLoop) async throws
      -> Void
  ) async throws -> DecisionTrace {
    try await VirtualWorld.run { world in
      let ears = ScriptedRecogniser()
      let loop = VoiceLoop(
        recognition: SpeechRecognitionEngine(provider: ears),
        responder: ScriptedResponder(replies.map { .init(stringLiteral: $0) }, clock: world.clock),
        synthesis: SpeechSynthesisEngine(
          provider: VoiceSynthesisProvider(
            engine: FliteEngine(), configuration: .default,
            output: MemorySpeaker(clock: world.clock))),
        configuration: VoiceLoopConfiguration(rules: rules), clock: world.clock)
      try await loop.start()
      try await body(world, ears, loop)
      await loop.stop()
      return loop.trace
    }
  }

  @Test func `the trace says why a reply was held, resumed and ended`() async throws {
    let trace = try await Self.run { world, ears, _ in
      func pass(_ milliseconds: Int) async throws {
        try await world.clock.sleep(until: world.clock.time + .milliseconds(milliseconds))
      }
      ears.begin()
      ears.finish("hello")
      try await pass(300)
      ears.begin()
      try await pass(400)
      ears.finish(nil)
      try await pass(200)
      ears.begin()
      ears.guess("stop")
      try await pass(10)
    }
    func decision(_ isWanted: (TurnAction) -> Bool) throws -> DecisionTrace.Decision {
      try #require(trace.decisions.first { $0.actions.contains(where: isWanted) })
    }
    let asked = try decision { if case .respond = $0 { true } else { false } }
    #expect(asked.reason == "“hello” was said")
    #expect(asked.description.contains("→ tell that the user said “hello”"))
    let held = try decision { $0 == .hold(reply: 1) }
    #expect(held.reason == "the user's voice lasted 0.3 s")
    #expect(held.time == .milliseconds(600))
    #expect(try decision { $0 == .goOn(reply: 1) }.reason.contains("nothing was understood"))
    #expect(try decision { $0 == .interrupt(reply: 1) }.reason.contains("which is a stop word"))
  }

  @Test func `the trace holds the last thousand decisions`() async throws {
    let trace = try await Self.run { world, ears, loop in
      for _ in 0..<600 {
        loop.say("Hello.")
        loop.interrupt()
        try await world.settle()
      }
    }
    #expect(trace.decisions.count == DecisionTrace.limit)
    #expect(trace.decisions.first?.input != .opened)
  }
}

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

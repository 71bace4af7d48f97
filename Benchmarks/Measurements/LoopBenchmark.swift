import Foundation
import SpeechKit

/// How long a user waits for the reply, stage by stage, and for silence when interrupting it: the loop with
/// local parts, in real time.
struct LoopBenchmark: Benchmark {
  let name = "loop"
  let summary =
    "a conversation in real time: from the end of speech to the first sound of the reply"

  private static let grammar = """
    #JSGF V1.0; grammar bench;
    public <said> = turn on the kitchen light | tell me a story | good morning | stop;
    """
  private static let story =
    "Once upon a time there was a king who had three daughters, and one of them rode an old horse "
    + "through the woods every morning, whatever the weather was like."

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let turns = max(5, bench.options.runs * 4)
    var rows = try await rows(
      "in memory", turns: turns,
      output: MemorySpeaker(clock: RealClock(), buffer: .milliseconds(40)))
    if bench.hasSoundDevice {
      rows += try await self.rows("PortAudio, null sink", turns: turns, output: PortAudioSpeaker())
    }
    return rows
  }

  private func rows(
    _ title: String, turns: Int, output: any AudioOutput
  ) async throws -> [BenchmarkRow] {
    Terminal.note("  \(title)")
    let timings = try await Self.answered(turns, output)
    let waits = try await Self.interrupted(turns, output)
    func row(
      _ what: String, goal: BenchmarkRow.Goal? = nil, note: String? = nil,
      _ stage: (TurnTimings) -> Duration?
    ) -> BenchmarkRow {
      BenchmarkRow(
        benchmark: name, what: "\(title): \(what)", unit: .milliseconds,
        ours: Samples(timings.compactMap(stage).map { $0 / .milliseconds(1) }), goal: goal,
        note: note)
    }
    return [
      row(
        "last voice to end of turn",
        note: "350 ms of silence behind a sentence of the grammar are the rule", \.endOfTurn),
      row("end of turn to final text", \.finalText),
      row("final text to first token", note: "the same words always", \.firstToken),
      row("first token to first sample", \.firstSound),
      row("last voice to first sample, together", \.total),
      BenchmarkRow(
        benchmark: name, what: "\(title): interruption noticed to reply held", unit: .milliseconds,
        ours: Samples(waits.map { $0 / .milliseconds(1) }),
        goal: .value(TurnRules().interruption.minimumSpeech / .milliseconds(1) + 10),
        note: "the detection delay that the rules state, and 10 ms; see “stop” for what is heard "
          + "behind that"),
    ]
  }

  // MARK: Conversations

  /// Turns that are answered by an echo.
  private static func answered(_ turns: Int, _ output: any AudioOutput) async throws
    -> [TurnTimings]
  {
    let microphone = ScriptedMicrophone(AudioScript().withNoise(level: -66), clock: RealClock())
    let loop = try loop(ClosureResponder { _, _ in "Very well." }, microphone, output)
    let events = loop.events
    try await loop.start()
    var timings: [TurnTimings] = []
    try await say("Turn on the kitchen light.", to: microphone, after: .seconds(1))
    for await event in events {
      switch event.kind {
      case .timings(let measured): timings.append(measured)
      case .replyFinished:
        if timings.count > turns {
          await loop.stop()
          // The first one pays for what is loaded once.
          return Array(timings.dropFirst())
        }
        try await say("Turn on the kitchen light.", to: microphone, after: .milliseconds(500))
      default: break
      }
    }
    throw UsageError("the loop ended before its time")
  }

  /// Turns that interrupt a story: how long it took to hold it.
  private static func interrupted(_ turns: Int, _ output: any AudioOutput) async throws
    -> [Duration]
  {
    let microphone = ScriptedMicrophone(AudioScript().withNoise(level: -66), clock: RealClock())
    let loop = try loop(
      ScriptedResponder(Array(repeating: .init(stringLiteral: story), count: turns + 2)),
      microphone, output)
    let events = loop.events
    try await loop.start()
    var waits: [Duration] = []
    try await say("Tell me a story.", to: microphone, after: .seconds(1))
    for await event in events {
      switch event.kind {
      case .speaking: try await say("Tell me a story.", to: microphone, after: .milliseconds(700))
      case .timings(let measured):
        guard let wait = measured.interruption else { continue }
        waits.append(wait)
        if waits.count == turns {
          await loop.stop()
          return waits
        }
      default: break
      }
    }
    throw UsageError("the loop ended before its time")
  }

  private static func loop(
    _ responder: any Responder, _ microphone: ScriptedMicrophone, _ output: any AudioOutput
  ) throws -> VoiceLoop {
    var configuration = VoiceLoopConfiguration(voice: "rms")
    configuration.endRule = .grammar(try CommandMatcher(CommandGrammar(JSGFGrammar(grammar))))
    return VoiceLoop(
      recognition: SpeechRecognitionEngine(
        provider: PocketSphinxRecognitionProvider(
          configuration: PocketSphinxConfiguration(search: .grammar(grammar)), input: microphone)),
      responder: responder,
      synthesis: SpeechSynthesisEngine(
        provider: FliteSynthesisProvider(
          engine: FliteEngine(), configuration: .default, output: output)),
      configuration: configuration)
  }

  private static func say(
    _ text: String, to microphone: ScriptedMicrophone, after delay: Duration
  ) async throws {
    let voice = FliteEngine()
    let sound = try await voice.render(
      voice.makeRequest(text: text, voiceId: "slt"), configuration: .default)
    microphone.say(try sound.resampled(to: .recognition), after: delay)
  }
}

import Foundation
import SpeechKit

/// Measures the stages of a turn, and the time until an interrupted reply is paused: the loop with
/// local parts, in real time.
struct LoopBenchmark: Benchmark {
  let name = "loop"
  let summary =
    "a conversation in real time: from the end of speech to the first sample of the reply"

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
        "end of speech to end of turn",
        note: "the rule is 350 ms of silence after a sentence of the grammar", \.endOfTurn),
      row("end of turn to final text", \.finalText),
      row("final text to first token", note: "the responder has no model", \.firstToken),
      row("first token to first sample", \.firstSound),
      row("end of speech to first sample, total", \.total),
      BenchmarkRow(
        benchmark: name, what: "\(title): interruption to paused reply", unit: .milliseconds,
        ours: Samples(waits.map { $0 / .milliseconds(1) }),
        goal: .value(TurnRules().interruption.minimumSpeech / .milliseconds(1) + 10),
        note: "the rules' detection delay, and 10 ms; the benchmark “stop” measures what is played "
          + "afterwards"),
    ]
  }

  // MARK: Conversations

  /// Returns the timings of turns with a short reply.
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
          // The first turn includes loading.
          return Array(timings.dropFirst())
        }
        try await say("Turn on the kitchen light.", to: microphone, after: .milliseconds(500))
      default: break
      }
    }
    throw UsageError("the loop ended early")
  }

  /// Returns the times until interrupted replies were paused.
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
    throw UsageError("the loop ended early")
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

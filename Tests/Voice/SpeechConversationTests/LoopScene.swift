import Foundation
import SpeechAudio
import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechPocketSphinx
import SpeechTesting

/// A voice loop in a virtual world, with a user whose speech the test controls.
@MainActor
final class LoopScene {
  let world: VirtualWorld
  let microphone: ScriptedMicrophone
  let speaker: MemorySpeaker
  let loop: VoiceLoop
  private(set) var log: [String] = []
  private(set) var events: [VoiceLoopEvent] = []
  private var following: Task<Void, Never>?
  private let user = FliteEngine()

  nonisolated static let grammar = """
    #JSGF V1.0; grammar test;
    public <said> = hello | good morning | yes please | no thank you | tell me a story | stop
      | turn on the kitchen light | what time is it | goodbye | okay;
    """

  init(
    _ world: VirtualWorld, responder: any Responder, rules: TurnRules = TurnRules(),
    grammar: String = LoopScene.grammar, script: AudioScript = AudioScript(),
    acceptance: PocketSphinxAcceptance = .off,
    change: (inout VoiceLoopConfiguration) -> Void = { _ in },
    recognition: ((any AudioInput) -> any SpeechRecognitionProvider)? = nil
  ) {
    self.world = world
    microphone = ScriptedMicrophone(script.withNoise(level: -66), clock: world.clock)
    speaker = MemorySpeaker(clock: world.clock)
    var configuration = VoiceLoopConfiguration(rules: rules, voice: "rms")
    change(&configuration)
    loop = VoiceLoop(
      recognition: SpeechRecognitionEngine(
        provider: recognition?(microphone)
          ?? DecoderRecognitionProvider<PocketSphinxDecoder>(
            configuration: PocketSphinxConfiguration(
              search: .grammar(grammar), acceptance: acceptance),
            input: microphone)),
      responder: responder,
      synthesis: SpeechSynthesisEngine(
        provider: VoiceSynthesisProvider(
          engine: FliteEngine(), configuration: .default, output: speaker)),
      configuration: configuration, clock: world.clock)
  }

  func start() async throws {
    let stream = loop.events
    following = Task {
      for await event in stream {
        events.append(event)
        log.append("\(event.time.formatted3) \(event.turn) \(event.kind)")
      }
    }
    try await loop.start()
  }

  /// Speaks the text as the user, after a delay.
  func say(_ text: String, after delay: Duration = .zero) async throws {
    let sound = try await user.render(
      user.makeRequest(text: text, voiceId: "slt"), configuration: .default)
    microphone.say(try sound.resampled(to: .recognition), after: delay)
  }

  /// Waits for a duration.
  func wait(_ duration: Duration) async throws {
    try await world.clock.sleep(until: world.clock.time + duration)
  }

  /// Returns after the next event, from the given index, that satisfies the condition.
  @discardableResult
  func wait(
    upTo limit: Duration = .seconds(60), for isWanted: (VoiceLoopEvent.Kind) -> Bool
  ) async throws -> VoiceLoopEvent {
    let end = world.clock.time + limit
    var seen = events.count
    while world.clock.time < end {
      while seen < events.count {
        seen += 1
        if isWanted(events[seen - 1].kind) { return events[seen - 1] }
      }
      try await world.clock.sleep(until: world.clock.time + .milliseconds(10))
    }
    throw Missing(log: log)
  }

  func stop() async {
    await loop.stop()
    await following?.value
  }

  struct Missing: Error { var log: [String] }

  /// The events that are neither timings nor partial results.
  var story: [String] {
    events.compactMap { event in
      switch event.kind {
      case .userPartial, .word, .timings, .replyText, .userStarted, .thinking: nil
      default: "\(event.kind)"
      }
    }
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }

  var formatted3: String {
    String(format: "%.3f", seconds)
  }
}

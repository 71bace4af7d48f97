import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechConversation
import SpeechCore
import SpeechFlite
import SpeechTesting

/// A loop with a scripted recogniser and a real voice, in virtual time.
@MainActor
struct LoopBench {
  let world: VirtualWorld
  let ears: ScriptedRecogniser
  let speaker: MemorySpeaker
  let loop: VoiceLoop
  let events: Guarded<[VoiceLoopEvent]>
  private let following: Task<Void, Never>

  init(
    _ world: VirtualWorld, responder: any Responder, rules: TurnRules = TurnRules(),
    synthesis: (any SpeechSynthesisProvider)? = nil,
    change: (inout VoiceLoopConfiguration) -> Void = { _ in }
  ) {
    self.world = world
    let clock = world.clock
    ears = ScriptedRecogniser { clock.time.seconds }
    speaker = MemorySpeaker(clock: world.clock)
    var configuration = VoiceLoopConfiguration(rules: rules)
    change(&configuration)
    loop = VoiceLoop(
      recognition: SpeechRecognitionEngine(provider: ears), responder: responder,
      synthesis: SpeechSynthesisEngine(
        provider: synthesis
          ?? VoiceSynthesisProvider(
            engine: FliteEngine(), configuration: .default, output: speaker)),
      configuration: configuration, clock: world.clock)
    let events = Guarded<[VoiceLoopEvent]>([])
    self.events = events
    let stream = loop.events
    following = Task { for await event in stream { events.withLock { $0.append(event) } } }
  }

  var kinds: [VoiceLoopEvent.Kind] { events.withLock { $0.map(\.kind) } }

  func say(_ text: String) async throws {
    ears.begin()
    ears.finish(text)
    try await world.settle()
  }

  func pass(_ seconds: Double) async throws {
    try await world.clock.sleep(until: world.clock.time + .seconds(seconds))
    try await world.settle()
  }

  func stop() async {
    await loop.stop()
    await following.value
  }
}

import SpeechConcurrency
import SpeechTesting
import Testing

struct FaultyVoiceEngineTests {
  private static let faults: [Int: FaultyResponder.Misbehaviour] = [
    2: .fails("no server"), 3: .breaksOff("gone"), 4: .late(.seconds(3)), 5: .hangs, 6: .stalls,
  ]

  private static func speak(_ engine: FaultyVoiceEngine<FliteEngine>) async throws -> Int {
    var frames = 0
    let request = engine.makeRequest(text: "It is noon.", voiceId: "kal")
    for try await chunk in engine.streamAudio(request: request, configuration: .default) {
      frames += chunk.audio.frameCount
    }
    return frames
  }

  @Test func `requests fail as configured, and all others reach the engine`()
    async throws
  {
    try await VirtualWorld.run { world in
      let engine = FaultyVoiceEngine(FliteEngine(), Self.faults, clock: world.clock)
      let whole = try await Self.speak(engine)
      #expect(whole > 0)
      for reason in ["no server", "gone"] {
        let error = await #expect(throws: (any Error).self) { try await Self.speak(engine) }
        #expect(error?.localizedDescription == reason)
      }
      let before = world.clock.time
      #expect(try await Self.speak(engine) == whole)
      #expect(world.clock.time - before == .seconds(3))
      // A request that hangs, from the beginning or later, ends when its task is cancelled.
      for _ in 1...2 {
        let hanging = Task { try await Self.speak(engine) }
        try await world.clock.sleep(until: world.clock.time + .seconds(86_400))
        hanging.cancel()
        let end = await hanging.result
        #expect(throws: CancellationError.self) { try end.get() }
      }
      #expect(try await Self.speak(engine) == whole)
    }
  }

  @Test func `without faults it keeps the laws of voices`() async throws {
    try await VoiceEngineConformance(
      FaultyVoiceEngine(FliteEngine(), [:]), configuration: .default
    ).run()
  }
}

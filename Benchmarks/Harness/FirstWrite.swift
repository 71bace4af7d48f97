import SpeechAudio
import SpeechKit

/// Measures the time until a provider writes the first audio of a text to its device.
enum FirstWrite {
  /// - Parameter start: Waits for the moment from which the time is counted; from the call if
  ///   `nil`.
  /// - Returns: The time in milliseconds.
  @MainActor
  static func time<Engine: VoiceEngine>(
    of engine: Engine, _ configuration: Engine.Configuration, saying text: String,
    _ voice: String? = nil, from start: (() async throws -> ContinuousClock.Instant)? = nil
  ) async throws -> Double {
    let (writes, note) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    let output = TappedOutput(MemorySpeaker(clock: RealClock())) { { _, _ in note.yield(.now) } }
    let provider = VoiceSynthesisProvider(
      engine: engine, configuration: configuration, output: output)
    var begin = ContinuousClock.now
    let speaking = Task { try await provider.speak(text: text, voice: voice) }
    if let start { begin = try await start() }
    var first = ContinuousClock.now
    for await time in writes {
      first = time
      break
    }
    provider.stop()
    _ = try? await speaking.value
    return begin.duration(to: first) / .milliseconds(1)
  }
}

#if Espeak
import Foundation
import SpeechKit
import Testing

/// Real voices through the generic provider and the engine, to speakers in memory.
@MainActor
struct SpeakingTests {
  @Test func `both local voices speak through one provider`() async throws {
    let speaker = MemorySpeaker()
    let espeak = EspeakSynthesisProvider(
      engine: EspeakEngine(), configuration: .default, output: speaker)
    let flite = FliteSynthesisProvider(
      engine: FliteEngine(), configuration: .default, output: speaker)
    try await espeak.speak(text: "Good morning.", voice: "en")
    try await flite.speak(text: "Good morning.", voice: "slt")
    #expect(speaker.sounds.count == 2)
    for sound in speaker.sounds {
      #expect(sound.audio.duration > .milliseconds(500))
      #expect(sound.audio.level > -40)
    }
  }

  @Test func `positions cover the words in their order`() async throws {
    let provider = EspeakSynthesisProvider(
      engine: EspeakEngine(), configuration: .default, output: MemorySpeaker())
    let positions = provider.positions
    let text = "One two three. Four five six."
    try await provider.speak(text: text, voice: "en")
    var words: [String] = []
    for await position in positions where position.kind == .word {
      let scalars = Array(text.unicodeScalars)[position.textRange]
      words.append(String(String.UnicodeScalarView(scalars)))
      if words.count == 6 { break }
    }
    #expect(
      words.map { $0.trimmingCharacters(in: .punctuationCharacters) }
        == ["One", "two", "three", "Four", "five", "six"])
  }

  @Test func `an unknown voice is rejected by name, and nothing is played`() async {
    let speaker = MemorySpeaker()
    let provider = EspeakSynthesisProvider(
      engine: EspeakEngine(), configuration: .default, output: speaker)
    await #expect(throws: SpeechSynthesisProviderError.voiceNotAvailable("nobody")) {
      try await provider.speak(text: "Hello.", voice: "nobody")
    }
    #expect(speaker.sounds.isEmpty)
  }

  @Test func `the other local voice speaks when the first one fails`() async throws {
    let speaker = MemorySpeaker()
    let first = EspeakSynthesisProvider(
      engine: EspeakEngine(), configuration: .default, output: DeadSpeaker())
    let second = FliteSynthesisProvider(
      engine: FliteEngine(), configuration: .default, output: speaker)
    let engine = SpeechSynthesisEngine(provider: first, fallback: second)
    try await engine.speak(text: "Good morning.")
    #expect(engine.speakerIdentifier == FliteEngine.identifier)
    #expect(engine.fallbackReason != nil)
    #expect(!speaker.sounds.isEmpty)
  }

  @Test(arguments: ["wav", "flac", "ogg"])
  func `rendering to a file works for each voice`(kind: String) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("speechkit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("hello.\(kind)")
    let espeak = EspeakSynthesisProvider(
      engine: EspeakEngine(), configuration: .default, output: DeadSpeaker())
    let flite = FliteSynthesisProvider(
      engine: FliteEngine(), configuration: .default, output: DeadSpeaker())
    for sound in [
      try await espeak.render(text: "Hello."), try await flite.render(text: "Hello."),
    ] {
      try AudioFile.write(sound, to: url)
      let read = try AudioFile.read(url)
      #expect(read.format == sound.format)
      #expect(abs(read.frameCount - sound.frameCount) <= sound.format.sampleRate / 100)
    }
  }
}

private struct DeadSpeaker: AudioOutput {
  let name = "dead"

  func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    throw AudioError.noDevice(.output)
  }
}
#endif

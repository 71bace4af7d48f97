import ConformanceTesting
import Foundation
import SpeechKit
import TestSupport
import Testing

/// Many starts and stops of each provider leave memory and descriptors as they were.
///
/// Each runs in a process of its own, where nothing else allocates.
@Suite(.serialized)
struct EnduranceTests {
  /// The growth from the second half of the cycles on, when caches are full.
  @MainActor private static func expectFlat(
    _ cycles: Int, allowingKibibytes: Int, _ cycle: (Int) async throws -> Void
  ) async throws {
    for number in 0..<cycles / 4 { try await cycle(number) }
    let before = ProcessHoldings.now()
    for number in cycles / 4..<cycles { try await cycle(number) }
    let after = ProcessHoldings.now()
    #expect(after.hasGrown(since: before, atMostKibibytes: allowingKibibytes))
    #expect(after.descriptors == before.descriptors)
    #expect(after.threads <= before.threads + 4)
  }

  @Test func `the recogniser can be started and stopped repeatedly`() async {
    await #expect(processExitsWith: .success) {
      try await Self.recognise()
    }
  }

  #if Espeak
  @Test func `eSpeak NG can speak and stop repeatedly`() async {
    await #expect(processExitsWith: .success) {
      try await Self.speak(
        EspeakSynthesisProvider(
          engine: EspeakEngine(), configuration: .default, output: ForgetfulSpeaker()))
    }
  }
  #endif

  @Test func `Flite can speak and stop repeatedly`() async {
    await #expect(processExitsWith: .success) {
      var configuration = FliteConfiguration.default
      configuration.voice = "kal"
      try await Self.speak(
        FliteSynthesisProvider(
          engine: FliteEngine(), configuration: configuration, output: ForgetfulSpeaker()))
    }
  }

  @MainActor private static func recognise() async throws {
    let word = PCMBuffer(
      samples: (0..<1_600).map { Int16(truncatingIfNeeded: $0 &* 7_919 % 2_000 - 1_000) },
      format: .recognition)
    let microphone = ScriptedMicrophone(AudioScript().saying(word, at: .milliseconds(100)))
    let provider = PocketSphinxRecognitionProvider(
      configuration: PocketSphinxConfiguration(search: .grammar(Phrases.grammar)),
      input: microphone)
    try await expectFlat(Endurance.count(full: 1_000, short: 200), allowingKibibytes: 4_096) { _ in
      let results = provider.results
      try await provider.startListening(locale: Phrases.english)
      microphone.say(word, after: .milliseconds(20))
      await Task.yield()
      provider.stopListening()
      for await _ in results {}
    }
  }

  @MainActor private static func speak<Engine: VoiceEngine>(
    _ provider: VoiceSynthesisProvider<Engine>
  ) async throws {
    try await expectFlat(Endurance.count(full: 1_000, short: 200), allowingKibibytes: 8_192) {
      number in
      let events = provider.events
      let speech = Task { try await provider.speak(text: "One, two.", voice: nil) }
      if number.isMultiple(of: 2) {
        for await event in events where event == .started { break }
        provider.stop()
      }
      _ = await speech.result
    }
  }
}

/// Speakers in memory that do not remember what was heard.
private struct ForgetfulSpeaker: AudioOutput {
  let name = "forgetful speaker"

  func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    try await MemorySpeaker().open(format)
  }
}

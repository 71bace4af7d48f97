#if Espeak
import Foundation
import SpeechAudio
import SpeechCore
import SpeechEspeak
import TestSupport
import Testing

struct EspeakEngineTests {
  private static let sentence = "The quick brown fox jumps over the lazy dog."

  @Test func `it is installed, offline and has a name`() {
    #expect(EspeakEngine.isAvailable)
    #expect(EspeakEngine.isOffline)
    #expect(EspeakEngine.identifier == "com.speechkit.espeak")
    #expect(engine.canGenerate(with: .default))
    #expect(!engine.canGenerate(with: EspeakConfiguration(dataFolder: "/nowhere")))
  }

  @Test func `it produces a WAV and states its engine`() async throws {
    let request = engine.makeRequest(text: Self.sentence)
    let output = try await engine.generateAudio(request: request, configuration: .default)
    #expect(output.audioFormat == .wav)
    #expect(output.audioData.prefix(4) == Data("RIFF".utf8))
    #expect(output.metadata["sampleRate"] == "22050")
    #expect(output.metadata["engineVersion"]?.hasPrefix("1.") == true)
    let audio = try output.decodedAudio()
    #expect(audio.format.sampleRate == 22_050)
    #expect(String(audio.frameCount) == output.metadata["frames"])
    #expect(audio.duration > .seconds(2))
  }

  @Test func `voices have languages, a gender and variants`() async throws {
    let all = try await engine.fetchVoices(languageCode: "", configuration: .default)
    #expect(all.count > 100)
    #expect(Set(all.map(\.id)).count == all.count)
    #expect(all.allSatisfy { !$0.name.isEmpty && !$0.languages.isEmpty })
    #expect(all.first?.variants.contains("f3") == true)
    let german = try await engine.fetchVoices(languageCode: "de-DE", configuration: .default)
    #expect(german.map(\.language) == ["de"])
    let english = try await engine.fetchVoices(languageCode: "en", configuration: .default)
    #expect(english.count >= 6)
    #expect(english.allSatisfy { $0.languages.contains { $0.hasPrefix("en") } })
    let none = try await engine.fetchVoices(languageCode: "xx", configuration: .default)
    #expect(none.isEmpty)
  }

  @Test func `every voice that is listed speaks`() async throws {
    let all = try await engine.fetchVoices(languageCode: "", configuration: .default)
    for voice in all {
      #expect(await engine.isVoiceAvailable(voiceId: voice.id, configuration: .default))
      let spoken = try await speak("1 2 3", voice: voice.id)
      #expect(spoken.seconds > 0.2, "\(voice.id)")
    }
  }

  @Test(arguments: [
    "en", "en-US", "en_us", "EN-us", "English (America)", "gmw/en-US", "de-DE", "pt-PT", "zh",
    "zh-CN", "zh-Hans-CN", "en-AU", "en+f3", "English (America)+whisper", "en-us+F2",
  ])
  func `voices are found by tag, file, name and variant`(id: String) async {
    #expect(await engine.isVoiceAvailable(voiceId: id, configuration: .default))
  }

  @Test(arguments: [
    "", "nobody", "no-such-voice", "xx-YY", "en+nobody", "../../etc/passwd", "en+../../../tmp/x",
    "en+", "+f3",
    "mb/mb-en1", "en\u{0}", String(repeating: "en-", count: 2000),
  ])
  func `unknown voices are not available`(id: String) async {
    #expect(await !engine.isVoiceAvailable(voiceId: id, configuration: .default))
    guard !id.isEmpty else { return }
    #expect(await error { try await speak("Hello.", voice: id) } == .voiceNotAvailable(id))
  }

  @Test func `a language without a voice is not available`() async {
    let request = engine.makeRequest(text: "Hello.", languageCode: "xx")
    let thrown = await error {
      try await engine.generateAudio(request: request, configuration: .default)
    }
    #expect(thrown == .voiceNotAvailable("xx"))
  }

  @Test(arguments: ["", "   ", "\n\t\n", "\u{0}\u{1}\u{2}", "😀🎉👍🏽", "...", "\u{FEFF}\u{200B}"])
  func `text without words is invalid`(text: String) async {
    #expect(await error { try await speak(text) } == .invalidText)
    let request = engine.makeRequest(text: text)
    let thrown = await error {
      try await engine.generateAudio(request: request, configuration: .default)
    }
    #expect(thrown == .invalidText)
  }

  @Test func `the rate changes the duration`() async throws {
    let slow = try await speak(Self.sentence, EspeakConfiguration(rate: 0.25))
    let normal = try await speak(Self.sentence)
    let fast = try await speak(Self.sentence, EspeakConfiguration(rate: 0.75))
    #expect(slow.seconds > normal.seconds * 1.2)
    #expect(fast.seconds < normal.seconds * 0.7)
  }

  @Test func `the pitch changes by octaves`() async throws {
    let low = pitch(try await speak(Self.sentence, EspeakConfiguration(pitchMultiplier: 0.5)).audio)
    let normal = pitch(try await speak(Self.sentence).audio)
    let high = pitch(try await speak(Self.sentence, EspeakConfiguration(pitchMultiplier: 2)).audio)
    #expect((0.4...0.75).contains(low / normal))
    #expect((1.5...2.2).contains(high / normal))
  }

  @Test func `the volume changes the level`() async throws {
    let normal = try await speak(Self.sentence).audio.level
    let soft = try await speak(Self.sentence, EspeakConfiguration(volume: 0.5)).audio.level
    let silent = try await speak(Self.sentence, EspeakConfiguration(volume: 0)).audio.level
    #expect((4...8).contains(normal - soft))
    #expect(silent < -70)
  }

  @Test func `options override the configuration`() async throws {
    let configuration = EspeakConfiguration(rate: 0.2)
    let slow = try await speak(Self.sentence, configuration)
    let fast = try await speak(Self.sentence, configuration, options: ["rate": "0.9"])
    #expect(fast.seconds < slow.seconds / 2)
    let thrown = await error { try await speak("Hello.", options: ["volume": "loud"]) }
    #expect(thrown == .unknown("The option volume is “loud”; it has to be a number."))
  }

  @Test func `delays are silence around the speech`() async throws {
    let plain = try await speak("Hello.")
    let delayed = try await speak(
      "Hello.", EspeakConfiguration(preUtteranceDelay: 1.5, postUtteranceDelay: 0.5))
    #expect(abs(delayed.seconds - plain.seconds - 2) < 0.05)
    #expect(delayed.audio.samples.prefix(33_075).allSatisfy { $0 == 0 })
    #expect(delayed.words.first.map { $0.audioOffset >= .seconds(1.5) } == true)
  }

  @Test func `word gaps and punctuation make speech longer`() async throws {
    let plain = try await speak(Self.sentence)
    let gaps = try await speak(Self.sentence, EspeakConfiguration(wordGap: .milliseconds(200)))
    #expect(gaps.seconds > plain.seconds + 1)
    let named = try await speak("Stop. Wait, please.", EspeakConfiguration(punctuation: .all))
    let unnamed = try await speak("Stop. Wait, please.")
    #expect(named.seconds > unnamed.seconds + 0.15)
    let some = try await speak("Stop. Wait, please.", EspeakConfiguration(punctuation: .some(",")))
    #expect(some.seconds > unnamed.seconds + 0.08)
  }

  @Test(arguments: [
    ("en", "We shall meet at the station at half past seven, and then walk to the river."),
    ("en", "It is 1999. There were 250 people. Hello!"),
    ("de", "Der schnelle braune Fuchs springt über den faulen Hund und läuft dann davon."),
    ("fr", "Le petit chat dort sur la chaise pendant que la pluie tombe dehors."),
    ("ru", "Быстрая коричневая лиса перепрыгнула через ленивую собаку."),
  ])
  func `the estimate is accurate to a fifth`(voice: String, text: String) async throws {
    for rate: Float in [0.4, 0.5, 0.7] {
      let configuration = EspeakConfiguration(rate: rate)
      let request = engine.makeRequest(text: text, voiceId: voice)
      let guess = engine.estimateDuration(request: request, configuration: configuration)
      let real = try await speak(text, voice: voice, configuration).seconds
      #expect((0.8...1.25).contains(guess / real), "\(guess) for \(real)")
    }
  }
}
#endif

import ConformanceTesting
import Foundation
import SpeechAudio
import SpeechCore
import SpeechFlite
import Synchronization
import TestSupport
import Testing

struct FliteEngineTests {
  private let engine = FliteEngine()
  private static let sentence = "The quick brown fox jumps over the lazy dog, in 1999."

  private func speak(
    _ text: String, voice: String = "kal", language: String = "",
    _ configuration: FliteConfiguration = .default
  ) async throws -> (audio: PCMBuffer, positions: [SpeechPosition], chunks: Int) {
    let request = engine.makeRequest(text: text, voiceId: voice, languageCode: language)
    var audio = PCMBuffer(format: AudioFormat(sampleRate: 16_000))
    var positions: [SpeechPosition] = []
    var chunks = 0
    for try await chunk in engine.streamAudio(request: request, configuration: configuration) {
      audio.append(chunk.audio)
      positions += chunk.positions
      chunks += 1
    }
    return (audio, positions, chunks)
  }

  private func error(_ body: () async throws -> some Any) async -> SpeechSynthesisProviderError? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error as? SpeechSynthesisProviderError
    }
  }

  private func covered(_ position: SpeechPosition, in text: String) -> String {
    let scalars = Array(text.unicodeScalars)[position.textRange]
    return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  @Test
  func `the same words have the same samples, and the program's random numbers continue`() async {
    // In a separate process, because its random numbers are shared by all of its threads.
    await #expect(processExitsWith: .success) {
      let tests = FliteEngineTests()
      for voice in ["slt", "rms", "awb", "kal"] {
        srand(77)
        let expected = [rand(), rand()]
        srand(77)
        #expect(rand() == expected[0])
        let first = try await tests.speak("turn on the light", voice: voice).audio
        #expect(rand() == expected[1], "\(voice)")
        _ = try await tests.speak("and something else", voice: "slt")
        let second = try await tests.speak("turn on the light", voice: voice).audio
        #expect(second == first, "\(voice)")
      }
    }
  }

  @Test func `random numbers of other threads do not change the samples`() async throws {
    let first = try await speak(Self.sentence, voice: "rms").audio
    let isDone = Mutex(false)
    let thread = Thread { while !isDone.withLock({ $0 }) { _ = rand() } }
    thread.start()
    defer { isDone.withLock { $0 = true } }
    for _ in 0..<3 {
      #expect(try await speak(Self.sentence, voice: "rms").audio == first)
    }
  }

  @Test func `its four voices are listed and speak`() async throws {
    let voices = try await engine.fetchVoices(languageCode: "en", configuration: .default)
    #expect(voices.map(\.id) == ["slt", "rms", "awb", "kal"])
    #expect(voices.map(\.gender) == [.female, .male, .male, .male])
    for voice in voices {
      #expect(await engine.isVoiceAvailable(voiceId: voice.id, configuration: .default))
      let spoken = try await speak("Good morning.", voice: voice.id)
      #expect(spoken.audio.duration > .milliseconds(500))
      #expect(spoken.audio.level > -40)
    }
    let others = try await engine.fetchVoices(languageCode: "de", configuration: .default)
    #expect(others.isEmpty)
  }

  @Test(.disabled(if: Sanitizer.isOn, "A sanitizer keeps what was loaded."))
  func `a voice takes memory once it speaks, and unused voices do not`() async {
    // In a separate process, where no other test speaks.
    await #expect(processExitsWith: .success) {
      func loaded() throws -> Set<String> {
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        return Set(
          ["slt", "rms", "awb", "kal"].filter { maps.contains("libflite_cmu_us_\($0)") })
      }
      let engine = FliteEngine()
      _ = try await engine.fetchVoices(languageCode: "en", configuration: .default)
      #expect(try loaded().isEmpty)
      let request = engine.makeRequest(text: "Hello.", voiceId: "rms", languageCode: "")
      for try await _ in engine.streamAudio(request: request, configuration: .default) {}
      #expect(try loaded() == ["rms"])
    }
  }

  @Test func `other voices and languages are not available`() async {
    #expect(await error { try await speak("Hello.", voice: "bob") } == .voiceNotAvailable("bob"))
    let german = await error { try await speak("Hallo.", voice: "", language: "de-DE") }
    #expect(german == .voiceNotAvailable("de-DE"))
    #expect(await error { try await speak("Hello.", voice: "", language: "en-GB") } == nil)
  }

  @Test func `it produces a WAV`() async throws {
    let request = engine.makeRequest(text: Self.sentence, voiceId: "slt")
    let output = try await engine.generateAudio(request: request, configuration: .default)
    #expect(output.audioFormat == .wav)
    #expect(output.metadata["sampleRate"] == "16000")
    #expect(output.audioData.count > 2 * 3 * 16_000)
  }

  @Test(arguments: ["", "  \n", "\u{0}\u{1}", "😀", "...", "Привет", "日本"])
  func `text without words is invalid`(text: String) async {
    #expect(await error { try await speak(text) } == .invalidText)
  }

  @Test func `words have their positions in the text`() async throws {
    let text = "\u{FEFF}Hello “there” 😀, naïve world. How are you in 1999?"
    for voice in ["kal", "slt"] {
      let spoken = try await speak(text, voice: voice)
      let words = spoken.positions.filter { $0.kind == .word }
      #expect(
        words.map { covered($0, in: text) } == [
          "Hello", "there", "naïve", "world", "How", "are", "you", "in", "1999",
        ])
      let times = words.map(\.audioOffset)
      #expect(times == times.sorted())
      #expect(times.allSatisfy { $0 < spoken.audio.duration })
    }
  }

  @Test func `words of a long text cover all of it`() async throws {
    let text = String(repeating: "One two three, four five six. Seven eight nine! ", count: 30)
    let spoken = try await speak(text)
    #expect(spoken.chunks > 3)
    let words = spoken.positions.filter { $0.kind == .word }.map { covered($0, in: text) }
    #expect(words == text.split { !$0.isLetter }.map(String.init))
  }

  @Test func `rate, pitch and volume take effect for one request only`() async throws {
    for voice in ["kal", "slt"] {
      let plain = try await speak(Self.sentence, voice: voice)
      let fast = try await speak(Self.sentence, voice: voice, FliteConfiguration(rate: 0.8))
      let slow = try await speak(Self.sentence, voice: voice, FliteConfiguration(rate: 0.2))
      let soft = try await speak(Self.sentence, voice: voice, FliteConfiguration(volume: 0.5))
      let high = try await speak(
        Self.sentence, voice: voice, FliteConfiguration(pitchMultiplier: 1.6))
      let again = try await speak(Self.sentence, voice: voice)
      #expect(fast.audio.duration < plain.audio.duration * 0.7)
      #expect(slow.audio.duration > plain.audio.duration * 1.25)
      #expect(abs(plain.audio.level - soft.audio.level - 6) < 0.5)
      #expect(pitch(high.audio) > pitch(plain.audio) * 1.3)
      #expect(again.audio.frameCount == plain.audio.frameCount)
    }
  }

  @Test func `delays are silence around the speech`() async throws {
    let plain = try await speak("Hello.")
    let delayed = try await speak(
      "Hello.", FliteConfiguration(preUtteranceDelay: 1.5, postUtteranceDelay: 0.5))
    #expect(delayed.audio.frameCount == plain.audio.frameCount + 32_000)
    #expect(delayed.audio.samples.prefix(24_000).allSatisfy { $0 == 0 })
  }

  @Test func `the estimate is accurate to a fifth`() async throws {
    for voice in ["kal", "slt"] {
      let request = engine.makeRequest(text: Self.sentence, voiceId: voice)
      let guess = engine.estimateDuration(request: request, configuration: .default)
      let real = try await speak(Self.sentence, voice: voice).audio.duration / .seconds(1)
      #expect((0.8...1.25).contains(guess / real), "\(guess) for \(real)")
    }
  }

  @Test func `twenty concurrent requests yield the same as one by one`() async throws {
    let voices = ["kal", "kal", "kal", "slt"]
    var alone: [Int] = []
    for number in 0..<20 {
      alone.append(
        try await speak("This is number \(number * 31).", voice: voices[number % 4]).audio
          .frameCount)
    }
    let expected = alone
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let spoken = try await speak("This is number \(number * 31).", voice: voices[number % 4])
          #expect(spoken.audio.frameCount == expected[number])
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `cancelling ends a request and leaves others intact`() async throws {
    let text = String(repeating: "This goes on and on, until somebody ends it. ", count: 200)
    var random = SplitMix(seed: 9)
    for _ in 0..<20 {
      let task = Task { try await speak(text) }
      for _ in 0..<random.next(200) { await Task.yield() }
      task.cancel()
      if case .failure(let error) = await task.result { #expect(error is CancellationError) }
    }
    #expect(try await speak("Still here.").audio.frameCount > 8000)
  }

  @Test func `a megabyte starts with its first sentence`() async throws {
    let text = String(repeating: "A sentence of many, in a long text. ", count: 30_000)
    let request = engine.makeRequest(text: text, voiceId: "kal")
    var stream = engine.streamAudio(request: request, configuration: .default).makeAsyncIterator()
    let first = try #require(try await stream.next())
    #expect(!first.audio.isEmpty)
    #expect(first.audio.duration < .seconds(20))
  }

  @Test(arguments: [
    String(repeating: "a", count: 5000), String(repeating: "1234567890", count: 200),
    String(repeating: "s's", count: 500), String(repeating: "!?.,;:", count: 500) + " word",
    "\"'`()[]{}<>|\\/ x", String(repeating: "(", count: 2000) + "x", "$$$ 5% #4 @you a&b ~ ^ _",
    "1/2 3.14159 -7 +8 1e99 0x1F $1,234,567.89 12:34:56 5'6\" 1990s", "\u{1}\u{2}\u{1B}[31mred",
    "Dr. Mr. St. No. U.S.A. p.m. I II III IV XVII A.B.C.D", "e\u{301}\u{302}x",
  ])
  func `texts that might crash the library are safe`(text: String) async throws {
    for voice in ["kal", "slt"] {
      #expect(try await speak(text, voice: voice).audio.frameCount > 100)
    }
  }

  @Test func `random text does not crash the library`() async throws {
    var random = SplitMix(seed: 4)
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<1 + random.next(60) {
        text.unicodeScalars.append(Unicode.Scalar(UInt8(random.next(127))))
      }
      do {
        _ = try await speak(text)
      } catch {
        #expect(error as? SpeechSynthesisProviderError == .invalidText)
      }
    }
  }
}

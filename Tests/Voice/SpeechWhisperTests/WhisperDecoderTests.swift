import Foundation
import SpeechAudio
import SpeechCore
import SpeechTesting
import TestSupport
import Testing

@testable import SpeechWhisper

@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
@DecodingQueue
struct WhisperDecoderTests {
  private static let sentence = "The weather is going to be sunny tomorrow."
  private static let words = "the weather is going to be sunny tomorrow"

  @Test func `text has signs and capital letters unless they are not wanted`() async throws {
    let speech = try await WhisperFixture.spoken(Self.sentence)
    let heard = try await WhisperFixture.session().decode(speech)
    #expect(heard?.text == Self.sentence)
    var plain = try WhisperFixture.configuration
    plain.punctuates = false
    let bare = try await WhisperFixture.session(plain).decode(speech)
    #expect(bare?.text == Self.words)
    #expect(bare?.words.map(\.text).joined(separator: " ") == Self.words)
  }

  @Test func `words have the times at which they are spoken`() async throws {
    let pause = PCMBuffer.silence(.seconds(1), format: .recognition)
    var audio = pause
    audio.append(try await WhisperFixture.spoken("Good morning."))
    let middle = audio.duration / .seconds(1)
    audio.append(pause)
    audio.append(try await WhisperFixture.spoken("See you tomorrow."))
    let decoded = try await WhisperFixture.session().decode(audio)
    let words = try #require(decoded?.words)
    #expect(plainWords(decoded?.text) == ["good", "morning", "see", "you", "tomorrow"])
    try #require(words.count == 5)
    #expect(words[0].start > 0.7)
    #expect(words[1].end < middle + 0.3)
    #expect(words[2].end > middle + 0.7)
    #expect(words.allSatisfy { $0.confidence > 0.3 })
  }

  @Test(arguments: ["silence", "white noise", "a hum", "clicks"])
  func `audio without speech has no words`(kind: String) async throws {
    var random = SeededNumbers(seed: 7, part: kind)
    let samples = (0..<48_000).map { frame -> Int16 in
      switch kind {
      case "white noise": Int16(truncatingIfNeeded: Int(random.next() % 6_000) - 3_000)
      case "a hum": Int16(3_000 * sin(Double(frame) * 2 * .pi * 100 / 16_000))
      case "clicks": frame % 8_000 < 20 ? 20_000 : Int16(random.next() % 60) - 30
      default: 0
      }
    }
    let noise = PCMBuffer(samples: samples, format: .recognition)
    let heard = try await WhisperFixture.session().decode(noise)
    #expect(heard == nil, "“\(heard?.text ?? "")”")
  }

  @Test func `a short command is not repeated`() async throws {
    for command in ["Ten of clubs.", "Stop.", "Turn on the lamp."] {
      let heard = try await WhisperFixture.session().decode(
        try await WhisperFixture.spoken(command))
      let count = try #require(heard).words.count
      #expect(count <= command.split(separator: " ").count, "“\(heard?.text ?? "")”")
    }
  }

  @Test func `audio longer than the model's window is decoded in pieces`() async throws {
    let sentence = try await WhisperFixture.spoken(Self.sentence)
    var audio = PCMBuffer(format: .recognition)
    while audio.duration < .seconds(65) {
      audio.append(sentence)
      audio.append(.silence(.milliseconds(500), format: .recognition))
    }
    let count = Int(audio.duration / (sentence.duration + .milliseconds(500)) + 0.5)
    let heard = try await WhisperFixture.session().decode(audio)
    let said = Array(repeating: Self.words, count: count).joined(separator: " ")
    let comparison = WordComparison(
      said: said, heard: heard?.text ?? "", overlooking: [.letterCase, .marks])
    #expect(comparison.errorRate < 0.05, "\(comparison.picture)")
    let words = try #require(heard).words
    #expect(zip(words, words.dropFirst()).allSatisfy { $0.start <= $1.start })
    #expect(try #require(words.last).end > 60)
  }

  @Test func `names that are given in advance are spelt so`() async throws {
    let speech = try await WhisperFixture.spoken("My brother Stephen lives in Paris.")
    for name in ["Stephen", "Steven"] {
      var configuration = try WhisperFixture.configuration
      configuration.vocabulary = [name]
      let heard = try await WhisperFixture.session(configuration).decode(speech)
      #expect(plainWords(heard?.text).prefix(3) == ["my", "brother", name.lowercased()])
    }
  }

  @Test func `a cancelled decoding ends with the error for that`() async throws {
    let session = try WhisperFixture.session()
    let speech = try await WhisperFixture.spoken(Self.sentence)
    try await session.prepare()
    let task = Task { try await session.decode(speech) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let heard = try await session.decode(speech)
    #expect(heard?.text == Self.sentence)
  }

  @Test func `another language needs a multilingual model`() async throws {
    let session = RecognitionSession<WhisperDecoder>(
      configuration: try WhisperFixture.configuration, locale: Locale(identifier: "de-DE"))
    let error = await #expect(throws: SpeechRecognitionError.self) { try await session.prepare() }
    #expect(error?.localizedDescription.contains("knows English only") == true)
  }
}

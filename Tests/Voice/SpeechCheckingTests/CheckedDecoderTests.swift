import Foundation
import SpeechAudio
import SpeechCore
import SpeechFlite
import SpeechPocketSphinx
import TestSupport
import Testing

@testable import SpeechChecking

/// Words that are checked with the real acoustic model.
@DecodingQueue
struct CheckedDecoderTests {
  private static let sentence = "The weather is going to be sunny tomorrow."

  @Test(arguments: ["white noise", "a hum", "clicks", "a chord", "silence"])
  func `words that are heard in audio without speech are struck out`(kind: String) async throws {
    let audio = Spoken.nothing(kind, seconds: 3)
    for text in ["Thank you.", "you", "Thanks for watching!", "."] {
      let heard = try await Spoken.checked(text, in: audio)
      #expect(heard == nil, "“\(heard?.text ?? "")”")
    }
  }

  @Test func `words that are spoken are kept as they are written`() async throws {
    let audio = try await Spoken.audio(Self.sentence)
    let heard = try await Spoken.checked(Self.sentence, in: audio)
    #expect(heard?.text == Self.sentence)
    #expect(heard?.words.count == 8)
  }

  @Test func `numbers and abbreviations are read as they are spoken`() async throws {
    let audio = try await Spoken.audio("Doctor Smith bought twenty five books for three dollars.")
    let text = "Dr. Smith bought 25 books for $3."
    #expect(try await Spoken.checked(text, in: audio)?.text == text)
  }

  @Test func `invented words after a sentence are struck out alone`() async throws {
    var audio = try await Spoken.audio(Self.sentence)
    audio.append(Spoken.nothing("white noise", seconds: 3))
    let heard = try await Spoken.checked(
      Self.sentence + " Please subscribe to my channel.", in: audio)
    let text = try #require(heard?.text)
    #expect(text.hasPrefix("The weather is going to be sunny"))
    #expect(!text.contains("my channel"))
  }

  @Test func `words without support are marked instead if wanted`() async throws {
    let audio = Spoken.nothing("white noise", seconds: 3)
    let heard = try await Spoken.checked("Thank you.", in: audio, by: WordCheck(.mark))
    #expect(heard?.text == "[Thank] [you.]")
    #expect(heard?.words.allSatisfy { $0.confidence < 0.5 } == true)
  }

  @Test func `words without times get those of the audio`() async throws {
    var audio = PCMBuffer.silence(.seconds(1), format: .recognition)
    audio.append(try await Spoken.audio("Good morning."))
    let decoded = DecodedUtterance(text: "Good morning.")
    let words = try #require(try await Spoken.checked(decoded, in: audio)?.words)
    try #require(words.map(\.text) == ["Good", "morning."])
    #expect(words[0].start > 0.8)
    #expect(words[0].end <= words[1].start + 0.01)
    #expect(words[1].end <= audio.duration / .seconds(1))
  }

  @Test func `times of the recogniser are kept`() async throws {
    let audio = try await Spoken.audio("Good morning.")
    let words = [
      RecognizedWord(text: "Good", start: 0.1, end: 0.2),
      RecognizedWord(text: "morning.", start: 0.2, end: 0.9),
    ]
    let decoded = DecodedUtterance(text: "Good morning.", words: words)
    #expect(try await Spoken.checked(decoded, in: audio) == decoded)
  }

  @Test func `rejected utterances and key phrases are passed on`() async throws {
    let audio = Spoken.nothing("white noise", seconds: 2)
    var rejected = DecodedUtterance(text: "lights on")
    rejected.isAccepted = false
    #expect(try await Spoken.checked(rejected, in: audio) == rejected)
    let phrase = RecognizedWord(text: "computer", start: 0, end: 1)
    let woken = DecodedUtterance(text: "computer", words: [phrase], keyPhrase: phrase)
    #expect(try await Spoken.checked(woken, in: audio) == woken)
  }

  @Test func `an utterance that is heard as it is spoken is checked as a whole`() async throws {
    let audio = try await Spoken.audio(Self.sentence)
    let decoder = try Spoken.decoder(DecodedUtterance(text: Self.sentence))
    let half = audio.frameCount / 2
    _ = try await decoder.hear(.start)
    _ = try await decoder.hear(.audio(audio.slice(0..<half)))
    _ = try await decoder.hear(.audio(audio.slice(half..<audio.frameCount)))
    #expect(try await decoder.hear(.finish).utterance?.text == Self.sentence)
    _ = try await decoder.hear(.start)
    _ = try await decoder.hear(.audio(Spoken.nothing("a hum", seconds: 2)))
    #expect(try await decoder.hear(.finish).utterance == nil)
  }

  @Test func `other languages are refused`() {
    #expect(throws: SpeechRecognitionError.self) {
      _ = try Spoken.Decoder(
        configuration: CheckedConfiguration(DecodedUtterance(text: "")),
        locale: Locale(identifier: "de-DE"))
    }
  }

  @Test func `what a real recogniser hears is kept`() async throws {
    let decoder = try CheckedDecoder<PocketSphinxDecoder>(
      configuration: CheckedConfiguration(PocketSphinxConfiguration()),
      locale: Spoken.english)
    let heard = try await decoder.hear(.utterance(try await Spoken.audio(Self.sentence)))
    #expect(heard.utterance?.text == "the weather is going to be sunny tomorrow")
  }
}

import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechWhisper

@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
@DecodingQueue
struct WhisperListeningTests {
  /// Hears an utterance in pieces, after each of which a draft is ready.
  ///
  /// - Returns: the partial texts, and the result.
  private func hear(
    _ speech: PCMBuffer, piece length: Int, with decoder: WhisperDecoder,
    afterPiece: () -> Void = {}
  ) async throws -> (texts: [String], final: DecodedUtterance?) {
    _ = try await decoder.hear(.start)
    var texts: [String] = []
    var stable = [""]
    for start in stride(from: 0, to: speech.frameCount, by: length) {
      let piece = speech.slice(start..<min(start + length, speech.frameCount))
      _ = try await decoder.hear(.audio(piece))
      // In real time a draft takes longer than the next piece of audio.
      await decoder.running?.ended()
      let output = try await decoder.hear(.audio(PCMBuffer(format: .recognition)))
      afterPiece()
      guard let text = output.partialText else { continue }
      texts.append(text)
      stable.append(output.stableText)
      #expect(text.hasPrefix(output.stableText), "\(text)")
    }
    let final = try await decoder.hear(.finish).utterance
    stable.append(final?.text ?? "")
    for (before, after) in zip(stable, stable.dropFirst()) { #expect(after.hasPrefix(before)) }
    #expect(stable.dropLast().contains { !$0.isEmpty }, "nothing was stable before the end")
    return (texts, final)
  }

  @Test func `words appear while they are spoken, and stable ones stay`() async throws {
    let decoder = try WhisperDecoder(
      configuration: WhisperFixture.configuration, locale: WhisperFixture.english)
    let speech = try await WhisperFixture.spoken(
      "I would like to have a cup of coffee with milk and sugar, and a piece of cake.")
    let (texts, final) = try await hear(speech, piece: 1_600, with: decoder)
    #expect(plainWords(final?.text).suffix(4) == ["a", "piece", "of", "cake"])
    #expect(texts.count >= 2, "\(texts)")
    #expect(plainWords(texts.last).starts(with: ["i", "would", "like"]), "\(texts)")
  }

  @Test func `the beginning of a long utterance is decoded once`() async throws {
    let decoder = try WhisperDecoder(
      configuration: WhisperFixture.configuration, locale: WhisperFixture.english)
    let sentences = [
      "The weather is going to be sunny tomorrow.", "We are planning a trip to the mountains.",
      "My sister will bring her two children.", "They have never seen the snow before.",
      "In the evening we will cook a large dinner.",
    ]
    var speech = PCMBuffer(format: .recognition)
    for sentence in sentences {
      speech.append(try await WhisperFixture.spoken(sentence))
      speech.append(.silence(.milliseconds(400), format: .recognition))
    }
    var longest = 0
    let (_, final) = try await hear(speech, piece: 8_000, with: decoder) {
      longest = max(longest, decoder.settledFrames)
    }
    #expect(longest > speech.frameCount / 3, "nothing was settled")
    #expect(plainWords(final?.text) == plainWords(sentences.joined(separator: " ")))
    let words = try #require(final?.words)
    for (word, next) in zip(words, words.dropFirst()) { #expect(word.end <= next.start + 0.1) }
    #expect((words.last?.end ?? 0) > speech.duration / .seconds(1) - 2)
    #expect(decoder.settledFrames == 0, "the next utterance begins without the last one's words")
  }

  @Test func `the text is known when a pause turns out to be the end`() async throws {
    let session = try WhisperFixture.session()
    let speech = try await WhisperFixture.spoken("Good morning.")
    try await session.hear(.start)
    try await session.hear(.audio(speech))
    try await session.hear(.paused(true))
    try await session.hear(.audio(.silence(.milliseconds(600), format: .recognition)))
    let ended = try await session.hear(.finish).utterance
    #expect(plainWords(ended?.text) == ["good", "morning"])

    // Speech that resumes is part of the text.
    try await session.hear(.start)
    try await session.hear(.audio(speech))
    try await session.hear(.paused(true))
    try await session.hear(.audio(.silence(.milliseconds(600), format: .recognition)))
    try await session.hear(.paused(false))
    try await session.hear(.audio(try await WhisperFixture.spoken("See you tomorrow.")))
    let resumed = try await session.hear(.finish).utterance
    #expect(plainWords(resumed?.text) == ["good", "morning", "see", "you", "tomorrow"])
  }

  @Test func `a question helps to understand its answer`() async throws {
    let session = try WhisperFixture.session()
    let answer = try await WhisperFixture.spoken("I would rather meet Siobhan.")
    let without = try await session.hear(.utterance(answer)).utterance?.text ?? ""
    #expect(!without.contains("Siobhan"), "\(without)")
    try await session.hear(.context("Do you want to meet Siobhan or Aoife?"))
    let with = try await session.hear(.utterance(answer)).utterance?.text ?? ""
    #expect(with == "I would rather meet Siobhan.")
  }

  @Test func `a microphone is heard to the last word`() async throws {
    let microphone = ScriptedMicrophone(
      playing: try await WhisperFixture.spoken("The weather is going to be sunny tomorrow."))
    let provider = await DecoderRecognitionProvider<WhisperDecoder>(
      configuration: try WhisperFixture.configuration, input: microphone)
    let results = await provider.results
    try await provider.startListening(locale: WhisperFixture.english)
    var final: String?
    for await result in results where result.isFinal { final = result.text }
    #expect(final == "The weather is going to be sunny tomorrow.")
  }
}

import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore
import Testing

/// Utterances of at least a second are sentences of the first decoder's grammar.
struct CascadeDecoderTests {
  private typealias Decoder = CascadeDecoder<LoudnessDecoder, ReadingDecoder>
  private let english = Locale(identifier: "en-US")

  private func decoder(_ other: ReadingDecoder.Configuration) throws -> Decoder {
    try Decoder(
      configuration: .init(command: .init(acceptsFrom: 16_000), other: other), locale: english)
  }

  private func outcome(
    of seconds: Double, with decoder: Decoder, isLive: Bool
  ) async throws -> DecodedUtterance? {
    let sound = PCMBuffer.buzz(.seconds(seconds))
    guard isLive else { return try await decoder.hear(.utterance(sound)).utterance }
    _ = try await decoder.hear(.start)
    let middle = sound.frameCount / 2
    _ = try await decoder.hear(.audio(sound.slice(0..<middle)))
    _ = try await decoder.hear(.paused(true))
    _ = try await decoder.hear(.paused(false))
    _ = try await decoder.hear(.audio(sound.slice(middle..<sound.frameCount)))
    return try await decoder.hear(.finish).utterance
  }

  @Test(arguments: [false, true])
  func `each utterance is recognised where it belongs`(isLive: Bool) async throws {
    let other = ReadingDecoder.Configuration()
    let decoder = try decoder(other)
    #expect(try await outcome(of: 2, with: decoder, isLive: isLive)?.text == "sound")
    #expect(other.log.values.isEmpty, "the other recogniser was loaded for a command")
    for _ in 1...2 {
      let free = try await outcome(of: 0.5, with: decoder, isLive: isLive)
      #expect(free?.text == "what was said")
      #expect(free?.isAccepted == true)
    }
    #expect(try await outcome(of: 2, with: decoder, isLive: isLive)?.text == "sound")
    let once = ["start", "hear 8000", "finish"]
    #expect(other.log.values == ["load"] + once + once)
  }

  @Test func `what neither recognises is rejected`() async throws {
    for other in [
      ReadingDecoder.Configuration(text: ""),
      ReadingDecoder.Configuration(error: .notAvailable),
    ] {
      let decoded = try await outcome(of: 0.5, with: decoder(other), isLive: true)
      #expect(decoded?.isAccepted == false)
    }
  }

  @Test func `an error of the other recogniser is reported once, and commands are recognised`()
    async throws
  {
    let error = SpeechRecognitionError.recognitionFailed("Its library is gone.")
    let decoder = try decoder(ReadingDecoder.Configuration(error: error))
    for expected in [error, nil, nil] {
      let decoded = try await outcome(of: 0.5, with: decoder, isLive: true)
      #expect(decoded?.isAccepted == false)
      #expect(decoded?.failure == expected)
      #expect(try await outcome(of: 2, with: decoder, isLive: true)?.text == "sound")
    }
  }

  @Test func `an error that passes is reported again when it returns`() async throws {
    let isBroken = Guarded(true)
    let error = SpeechRecognitionError.recognitionFailed("The service is gone.")
    let other = ReadingDecoder.Configuration(
      beforeFinish: { if isBroken.withLock({ $0 }) { throw error } })
    let decoder = try decoder(other)
    for isBrokenNow in [true, false, true] {
      isBroken.withLock { $0 = isBrokenNow }
      let decoded = try await outcome(of: 0.5, with: decoder, isLive: true)
      #expect(decoded?.isAccepted == !isBrokenNow)
      #expect(decoded?.failure == (isBrokenNow ? error : nil))
    }
  }

  @Test func `a transcript reports the error with the rejected utterance`() async throws {
    let error = SpeechRecognitionError.recognitionFailed("Its library is gone.")
    let transcriber = SpeechTranscriber<Decoder>(
      configuration: .init(
        command: .init(acceptsFrom: 24_000), other: ReadingDecoder.Configuration(error: error)))
    var sound = PCMBuffer(format: .recognition)
    for seconds in [1.0, 2, 1] {
      sound.append(.silence(.seconds(2), format: .recognition))
      sound.append(.buzz(.seconds(seconds)))
    }
    sound.append(.silence(.seconds(2), format: .recognition))
    let failures = Recorder<SpeechRecognitionError?>()
    let transcript = try await transcriber.transcribe(
      AudioFileInput(sound), rejected: { failures.add($0.failure) })
    #expect(transcript.text == "sound")
    #expect(failures.values == [error, nil])
  }

  @Test func `a discarded utterance is not read`() async throws {
    let other = ReadingDecoder.Configuration()
    let decoder = try decoder(other)
    _ = try await decoder.hear(.start)
    _ = try await decoder.hear(.audio(.buzz(.seconds(0.5))))
    _ = try await decoder.hear(.discard)
    #expect(other.log.values.isEmpty)
  }
}

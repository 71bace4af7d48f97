import Foundation
import SpeechAudio
import SpeechCore
import Testing

struct WakeWordDecoderTests {
  private typealias Decoder = WakeWordDecoder<LoudnessDecoder, LoudnessDecoder>
  private let locale = Locale(identifier: "en-US")

  private func decoder(
    window: Duration = .seconds(5), preRoll: Duration = .zero,
    command: LoudnessDecoder.Configuration = .init()
  ) throws -> Decoder {
    try Decoder(
      configuration: .init(spotter: .init(), command: command, window: window, preRoll: preRoll),
      locale: locale)
  }

  private func sound(_ seconds: Double) -> PCMBuffer {
    var sound = PCMBuffer.silence(.milliseconds(100), format: .recognition)
    sound.append(.buzz(.seconds(seconds)))
    return sound
  }

  private func decode(_ sound: PCMBuffer, _ decoder: Decoder) async throws -> DecodedUtterance? {
    try await decoder.hear(.utterance(sound)).utterance
  }

  @Test func `a phrase wakes, and the next utterance is a command`() async throws {
    let decoder = try decoder()
    let phrase = try #require(try await decode(sound(0.5), decoder))
    #expect(phrase.keyPhrase?.text == "sound")
    #expect(phrase.remainder == phrase.keyPhrase?.end)
    let command = try #require(try await decode(sound(0.5), decoder))
    #expect(command.keyPhrase == nil && command.remainder == nil)
    #expect(try await decode(sound(0.5), decoder)?.keyPhrase != nil)
  }

  @Test func `the phrase is required again after the window`() async throws {
    let decoder = try decoder(window: .seconds(2))
    _ = try await decode(sound(0.5), decoder)
    _ = try await decoder.hear(.silence(.seconds(1.5)))
    // Other speech uses up some of the time as well.
    #expect(try await decode(.silence(.seconds(0.3), format: .recognition), decoder) == nil)
    _ = try await decoder.hear(.silence(.seconds(0.1)))
    #expect(try await decode(sound(0.5), decoder)?.keyPhrase == nil)
    _ = try await decode(sound(0.5), decoder)
    _ = try await decoder.hear(.silence(.seconds(2.1)))
    #expect(try await decode(sound(0.5), decoder)?.keyPhrase != nil)
  }

  @Test func `the pre-roll includes audio before the end of the phrase`() async throws {
    let near = try #require(
      try await decode(sound(0.5), try decoder(preRoll: .milliseconds(200))))
    let end = try #require(near.keyPhrase?.end)
    #expect(abs((near.remainder ?? 0) - (end - 0.2)) < 1e-9)
    #expect(try await decode(sound(0.5), try decoder(preRoll: .seconds(9)))?.remainder == 0)
  }

  @Test func `each utterance goes to its decoder, and may be discarded`() async throws {
    let decoder = try decoder()
    _ = try await decoder.hear(.start)
    _ = try await decoder.hear(.audio(sound(0.4)))
    _ = try await decoder.hear(.discard)
    _ = try await decoder.hear(.start)
    _ = try await decoder.hear(.audio(sound(0.4)))
    #expect(try await decoder.hear(.finish).utterance?.keyPhrase != nil)
    _ = try await decoder.hear(.start)
    _ = try await decoder.hear(.discard)
    _ = try await decoder.hear(.start)
    _ = try await decoder.hear(.audio(sound(0.4)))
    #expect(try await decoder.hear(.finish).utterance?.keyPhrase == nil)
  }

  @Test func `a decoder that cannot be loaded is an error`() {
    #expect(throws: SpeechRecognitionError.recognitionFailed("no model")) {
      _ = try decoder(command: .init(loadError: .recognitionFailed("no model")))
    }
  }

  @Test(arguments: [false, true])
  func `speech right after the phrase is the next result`(isLive: Bool) async throws {
    // The phrase is half a second of the buzz; with a pre-roll its end is decoded again.
    let wake = Decoder.Configuration(
      spotter: .init(completesAfter: isLive ? 16_000 : nil, longestWord: 8_000), command: .init(),
      preRoll: .milliseconds(300))
    var input = PCMBuffer.silence(.seconds(0.5), format: .recognition)
    input.append(sound(2))
    input.append(.silence(.seconds(1.5), format: .recognition))
    let results = try await results(of: input, wake, isLive: isLive)
    #expect(results.count == 2)
    let words = results.flatMap(\.words)
    // The second one starts within the first, at the pre-roll, at its time in the recording.
    #expect(words.count >= 2 && abs(words[1].start - (words[0].end - 0.3)) < 0.02)
  }
  @Test(arguments: [false, true], [0, 300])
  func `silence after the phrase is not a command`(isLive: Bool, preRoll: Int) async throws {
    var command = LoudnessDecoder.Configuration()
    command.log = Recorder()
    let wake = Decoder.Configuration(
      spotter: .init(completesAfter: isLive ? 14_400 : nil), command: command,
      preRoll: .milliseconds(preRoll))
    var input = PCMBuffer.silence(.seconds(0.5), format: .recognition)
    input.append(sound(0.6))
    input.append(.silence(.seconds(2), format: .recognition))
    input.append(sound(1))
    input.append(.silence(.seconds(1.5), format: .recognition))
    let results = try await results(of: input, wake, isLive: isLive)
    #expect(results.map { $0.words.first.map { Int($0.start.rounded()) } } == [1, 3])
    #expect(command.log.values.filter { $0 == "start" }.count == 1)
  }

  private func results(
    of input: PCMBuffer, _ wake: Decoder.Configuration, isLive: Bool
  ) async throws -> [SpeechRecognitionResult] {
    guard isLive else {
      return try await SpeechTranscriber<Decoder>(configuration: wake, locale: locale)
        .transcribe(input).segments.map {
          SpeechRecognitionResult(text: $0.text, isFinal: true, words: $0.words)
        }
    }
    let provider = await DecoderRecognitionProvider<Decoder>(
      configuration: wake, input: AudioFileInput(input))
    let stream = await provider.results
    try await provider.startListening(locale: locale)
    let results = await stream.collected().filter(\.isFinal)
    #expect(results.first?.keyPhrase != nil)
    #expect(results.dropFirst().first?.keyPhrase == nil)
    return results
  }
}

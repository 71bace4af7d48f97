import Foundation
import SpeechAudio
import SpeechCore
import SpeechFlite

@testable import SpeechChecking

/// Speech, other audio, and decoders that hear certain words in it.
enum Spoken {
  typealias Decoder = CheckedDecoder<FixedDecoder>

  static let english = Locale(identifier: "en-US")

  /// The pronunciations of words that no dictionary has.
  static let pronunciations = AnyPronunciationSource(FlitePronunciations())

  /// A sentence, spoken by a voice that recognisers understand.
  static func audio(_ text: String) async throws -> PCMBuffer {
    try await VoiceEntry.flite.voice().render(text).resampled(to: .recognition)
  }

  /// Audio without speech.
  static func nothing(_ kind: String, seconds: Int) -> PCMBuffer {
    var random = SeededNumbers(seed: 7)
    let samples = (0..<seconds * 16_000).map { frame -> Int16 in
      let time = Double(frame) / 16_000
      switch kind {
      case "white noise": return Int16(random.next() % 6_000) - 3_000
      case "a hum": return Int16(3_000 * sin(time * 2 * .pi * 100)) + Int16(random.next() % 20)
      case "clicks": return frame % 8_000 < 20 ? 20_000 : Int16(random.next() % 60) - 30
      case "a chord":
        let tones = [220.0, 277.2, 329.6].map { sin(time * 2 * .pi * $0) }
        return Int16(2_000 * tones.reduce(0, +)) + Int16(random.next() % 20)
      default: return 0
      }
    }
    return PCMBuffer(samples: samples, format: .recognition)
  }

  static func decoder(
    _ decoded: DecodedUtterance, _ check: WordCheck = WordCheck()
  ) throws -> Decoder {
    try Decoder(configuration: CheckedConfiguration(decoded, check: check), locale: english)
  }

  /// The words of a recogniser that hears that text in the audio, after the check.
  static func checked(
    _ decoded: DecodedUtterance, in audio: PCMBuffer, by check: WordCheck = WordCheck()
  ) async throws -> DecodedUtterance? {
    try await decoder(decoded, check).hear(.utterance(audio)).utterance
  }

  static func checked(
    _ text: String, in audio: PCMBuffer, by check: WordCheck = WordCheck()
  ) async throws -> DecodedUtterance? {
    try await checked(DecodedUtterance(text: text), in: audio, by: check)
  }
}

/// Hears the same words in any audio.
final class FixedDecoder: SpeechDecoder {
  static let identifier = "com.speechkit.tests.fixed"
  static let isAvailable = true

  let format = AudioFormat.recognition
  private let decoded: DecodedUtterance

  init(configuration: DecodedUtterance, locale: Locale) { decoded = configuration }

  func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) -> DecoderOutput {
    switch input {
    case .finish, .utterance: DecoderOutput(utterance: decoded)
    default: DecoderOutput()
    }
  }
}

import Foundation
import SpeechAudio
import SpeechCore
import SpeechFlite
import TestSupport

@testable import SpeechWyoming

/// Real engines, and one whose answers can be predicted.
enum WyomingFixture {
  static let english = Locale(identifier: "en-US")
  static let sentence = "The weather is going to be sunny tomorrow."

  /// A sentence, spoken by a voice that recognisers understand.
  static func spoken(_ text: String) async throws -> PCMBuffer {
    try await VoiceEntry.flite.voice().render(text).resampled(to: .recognition)
  }

  /// Audio that differs with the number.
  static func audio(_ number: Int, frames: Int = 16_000) -> PCMBuffer {
    var random = SplitMix(seed: UInt64(number) + 1)
    return PCMBuffer(
      samples: (0..<frames).map { _ in Int16(truncatingIfNeeded: random.next()) },
      format: .recognition)
  }

  /// The answer of the predictable engine.
  static func answer(to audio: PCMBuffer) -> String {
    let digest = audio.samples.reduce(UInt32(0)) { $0 &* 31 &+ UInt32(UInt16(bitPattern: $1)) }
    return "\(audio.frameCount) \(digest)"
  }

  static func session(
    _ engine: String, timeout: Duration = .seconds(60)
  ) -> RecognitionSession<WyomingDecoder> {
    var configuration = WyomingConfiguration(engine: engine)
    configuration.timeout = timeout
    return RecognitionSession(configuration: configuration, locale: english)
  }

  /// Hears an utterance as it comes from a microphone.
  static func live(
    _ audio: PCMBuffer, in session: RecognitionSession<WyomingDecoder>, piece: Int = 1_600
  ) async throws -> String? {
    try await session.hear(.start)
    for start in stride(from: 0, to: audio.frameCount, by: piece) {
      try await session.hear(.audio(audio.slice(start..<min(start + piece, audio.frameCount))))
    }
    return try await session.hear(.finish).utterance?.text
  }

  /// The command that starts an engine of the tests for its standard input and output.
  static func command(_ script: String, _ arguments: [String]) throws -> String {
    let words = [try Peers.interpreter, "\(Peers.folder)/\(script)"] + arguments
    return "exec:" + words.map { "'\($0)'" }.joined(separator: " ")
  }

  @discardableResult
  static func withFake<Result>(
    _ manner: String, _ arguments: [String] = [], isolation: isolated (any Actor)? = #isolation,
    body: (String) async throws -> Result
  ) async throws -> Result {
    try await Peer.with("wyoming_fake.py", [manner] + arguments) { peer in
      try await body("127.0.0.1:\(peer.port)")
    }
  }
}

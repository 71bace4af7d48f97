import Foundation
import SpeechAudio
import SpeechCore

/// A decoder with the same result for any audio.
final class ReadingDecoder: SpeechDecoder {
  struct Configuration: Sendable {
    var text = "what was said"
    var confidence: Float = 0.8
    var error: SpeechRecognitionError?
    var log = Recorder<String>()
    /// Called before the result of an utterance is created.
    var beforeFinish: @Sendable () async throws -> Void = {}
  }

  static let identifier = "test.reading"
  static let isAvailable = true

  let format = AudioFormat(sampleRate: 8_000)
  private let configuration: Configuration

  init(configuration: Configuration, locale: Locale) throws {
    configuration.log.add("load")
    self.configuration = configuration
  }

  nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .start: configuration.log.add("start")
    case .audio(let audio): configuration.log.add("hear \(audio.format.sampleRate)")
    case .finish: return DecoderOutput(utterance: try await reading())
    case .discard: configuration.log.add("discard")
    case .utterance(let audio): return try await hearStreamed(audio, partial: partial)
    case .context(let words): configuration.log.add("after “\(words)”")
    case .silence, .keyPhraseExpected, .paused: break
    }
    return DecoderOutput()
  }

  private nonisolated(nonsending) func reading() async throws -> DecodedUtterance? {
    try await configuration.beforeFinish()
    configuration.log.add("finish")
    if let error = configuration.error { throw error }
    guard !configuration.text.isEmpty else { return nil }
    return DecodedUtterance(
      text: configuration.text, confidence: configuration.confidence,
      words: [RecognizedWord(text: configuration.text, start: 0.25, end: 0.5)])
  }
}

extension RecognitionCascade.Step {
  init(_ configuration: ReadingDecoder.Configuration, atLeast minimumConfidence: Float = 0) {
    self.init(
      ReadingDecoder.self, configuration: configuration, locale: Locale(identifier: "en-US"),
      atLeast: minimumConfidence)
  }
}

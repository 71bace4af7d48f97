import Foundation
import SpeechAudio
import SpeechConcurrency

/// Owns a decoder and runs it on a queue of its own, because decoding blocks.
package actor RecognitionSession<Decoder: SpeechDecoder> {
  private let executor = SerialQueueExecutor(label: "SpeechKit.recognition")
  private let configuration: Decoder.Configuration
  private let locale: Locale
  private var loaded: Decoder?
  /// True while a complete utterance is decoded. A decoder that waits for a service would otherwise
  /// be given the next one at the same time.
  private var isDecoding = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a session for that language. The models are loaded by the first call.
  package init(configuration: Decoder.Configuration, locale: Locale) {
    self.configuration = configuration
    self.locale = locale
  }

  /// Loads the models unless they are loaded, and returns the audio format of the decoder.
  ///
  /// - Throws: `SpeechRecognitionError` when they cannot be loaded.
  @discardableResult
  package func prepare() throws -> AudioFormat {
    try decoder().format
  }

  /// Passes an input to the decoder. Complete utterances are decoded one after the other.
  @discardableResult
  package func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void = { _ in }
  ) async throws -> DecoderOutput {
    switch input {
    case .discard where loaded == nil:
      return DecoderOutput()
    case .utterance:
      while isDecoding { await withCheckedContinuation { waiting.append($0) } }
      isDecoding = true
      defer {
        isDecoding = false
        if !waiting.isEmpty { waiting.removeFirst().resume() }
      }
      return try await decoder().hear(input, partial: partial)
    case .silence, .keyPhraseExpected, .context, .start, .audio, .paused, .finish, .discard:
      return try await decoder().hear(input, partial: partial)
    }
  }

  /// Recognises a complete utterance; `nil` if no words were recognised.
  package func decode(_ utterance: PCMBuffer) async throws -> DecodedUtterance? {
    try await hear(.utterance(utterance)).utterance
  }

  func decoder() throws -> Decoder {
    if let loaded { return loaded }
    let decoder = try Decoder(configuration: configuration, locale: locale)
    loaded = decoder
    return decoder
  }
}

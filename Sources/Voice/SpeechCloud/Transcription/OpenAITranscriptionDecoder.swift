import AIServices
import Foundation
import SpeechAudio
import SpeechCore

/// A decoder that sends each utterance to a transcription service.
///
/// The audio is segmented locally, so that silence is never sent. Partial texts are reported while
/// the service answers, if it streams.
///
/// ```swift
/// let provider = DecoderRecognitionProvider<OpenAITranscriptionDecoder>(
///   configuration: .init(service: OpenAIProvider()), input: PortAudioMicrophone())
/// ```
public final class OpenAITranscriptionDecoder: SpeechDecoder {
  /// The configuration of a decoder.
  public struct Configuration: Sendable {
    /// The service that transcribes utterances.
    public var service: any TranscriptionService
    /// The model; `nil` for the service's default.
    public var model: String?
    /// Words that may occur, or the previous text.
    public var prompt: String?
    /// True if word times are requested, for models that support them.
    public var wantsWords: Bool
    /// True if partial texts are requested, for models that stream.
    public var wantsPartials: Bool

    /// Creates a configuration for a service.
    public init(
      service: any TranscriptionService = OpenAIProvider(), model: String? = nil,
      prompt: String? = nil, wantsWords: Bool = false, wantsPartials: Bool = true
    ) {
      self.service = service
      self.model = model
      self.prompt = prompt
      self.wantsWords = wantsWords
      self.wantsPartials = wantsPartials
    }
  }

  /// The identifier of the recogniser.
  public static let identifier = "com.speechkit.openai.transcription"
  /// Always true. Whether the service responds is known only with the first request.
  public static let isAvailable = true

  /// 16 kHz, the rate that these services use internally.
  public let format = AudioFormat.recognition

  private let configuration: Configuration
  private let language: String?
  private var utterance: PCMBuffer?

  /// Creates a decoder for a language.
  public init(configuration: Configuration, locale: Locale) throws {
    self.configuration = configuration
    language = locale.language.languageCode?.identifier
  }

  /// Collects the audio of an utterance, and sends it at the end of it. Partial texts are reported
  /// while the service answers.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .start: utterance = PCMBuffer(format: format)
    case .audio(let audio): utterance?.append(audio)
    case .finish:
      guard let complete = utterance else { break }
      utterance = nil
      return try await transcription(of: complete, onPartial: partial)
    case .discard: utterance = nil
    case .utterance(let audio): return try await transcription(of: audio, onPartial: partial)
    case .silence, .keyPhraseExpected, .context, .paused: break
    }
    return DecoderOutput()
  }

  private nonisolated(nonsending) func transcription(
    of utterance: PCMBuffer, onPartial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    guard !utterance.isEmpty else { return DecoderOutput() }
    let request = TranscriptionRequest(
      audio: try AudioFile.encode(utterance, as: .wav), fileName: "utterance.wav",
      model: configuration.model,
      language: language, prompt: configuration.prompt, wantsWords: configuration.wantsWords,
      streams: configuration.wantsPartials)
    var heard = ""
    do {
      for try await event in configuration.service.transcribe(request) {
        switch event {
        case .text(let piece):
          heard += piece
          await onPartial(heard)
        case .finished(let reply):
          guard !reply.text.isEmpty else { return DecoderOutput() }
          let words = reply.words.map {
            RecognizedWord(text: $0.text, start: $0.start, end: $0.end)
          }
          return DecoderOutput(utterance: DecodedUtterance(text: reply.text, words: words))
        }
      }
    } catch let error as AIServiceError {
      throw SpeechRecognitionError.recognitionFailed(error.message)
    }
    try Task.checkCancellation()
    throw SpeechRecognitionError.recognitionFailed(
      "\(configuration.service.displayName) broke off before the end of the text. Try again.")
  }
}

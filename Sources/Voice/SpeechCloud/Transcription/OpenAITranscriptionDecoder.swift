import AIServices
import Foundation
import SpeechAudio
import SpeechCore

/// Recognises by sending each utterance to a service that writes down.
///
/// The utterances are cut here, so that silence is never sent. Partial texts come while the service
/// answers, where it streams.
///
/// ```swift
/// let provider = DecoderRecognitionProvider<OpenAITranscriptionDecoder>(
///   configuration: .init(service: OpenAIProvider()), input: PortAudioMicrophone())
/// ```
public final class OpenAITranscriptionDecoder: SpeechDecoder {
  /// What a decoder needs to know.
  public struct Configuration: Sendable {
    /// The service.
    public var service: any TranscriptionService
    /// The model; `nil` for the service's default.
    public var model: String?
    /// Words that may occur, or what was said before.
    public var prompt: String?
    /// Whether the times of the words are wanted, where the model knows them.
    public var wantsWords: Bool
    /// Whether partial texts are wanted, where the model streams.
    public var wantsPartials: Bool

    /// A configuration.
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

  /// Unique identifier of the recogniser.
  public static let identifier = "com.speechkit.openai.transcription"
  /// Always; whether the service answers is found out when it is asked.
  public static let isAvailable = true

  /// 16 kHz, which these services work with inside.
  public let format = AudioFormat.recognition

  private let configuration: Configuration
  private let language: String?
  private var utterance: PCMBuffer?

  /// A decoder for that language.
  public init(configuration: Configuration, locale: Locale) throws {
    self.configuration = configuration
    language = locale.language.languageCode?.identifier
  }

  /// Begins an utterance.
  public nonisolated(nonsending) func startUtterance() async throws {
    utterance = PCMBuffer(format: format)
  }

  /// Keeps the next stretch. Nothing is sent before the utterance ends.
  public nonisolated(nonsending) func process(_ audio: PCMBuffer) async throws -> DecoderUpdate {
    utterance?.append(audio)
    return DecoderUpdate()
  }

  /// Sends the utterance and waits for its text.
  public nonisolated(nonsending) func finishUtterance() async throws -> DecodedUtterance? {
    try await finishUtterance { _ in }
  }

  /// Sends the utterance and waits for its text, telling what is there of it meanwhile.
  public nonisolated(nonsending) func finishUtterance(
    onPartial: @Sendable (String) async -> Void
  ) async throws -> DecodedUtterance? {
    guard let utterance, !utterance.isEmpty else { return nil }
    self.utterance = nil
    do {
      return try await text(of: utterance, onPartial: onPartial)
    } catch let error as AIServiceError {
      throw SpeechRecognitionError.recognitionFailed(error.message)
    }
  }

  /// Forgets the utterance.
  public nonisolated(nonsending) func discardUtterance() async {
    utterance = nil
  }

  private nonisolated(nonsending) func text(
    of utterance: PCMBuffer, onPartial: @Sendable (String) async -> Void
  ) async throws -> DecodedUtterance? {
    let recording = try VoiceEngineOutput(wav: utterance, metadata: [:])
    let request = TranscriptionRequest(
      audio: recording.audioData, fileName: "utterance.wav", model: configuration.model,
      language: language, prompt: configuration.prompt, wantsWords: configuration.wantsWords,
      streams: configuration.wantsPartials)
    var heard = ""
    for try await event in configuration.service.transcribe(request) {
      switch event {
      case .text(let piece):
        heard += piece
        await onPartial(heard)
      case .finished(let reply):
        guard !reply.text.isEmpty else { return nil }
        return DecodedUtterance(
          text: reply.text,
          words: reply.words.map {
            RecognizedWord(text: $0.text, start: $0.start, end: $0.end, confidence: 1)
          })
      }
    }
    try Task.checkCancellation()
    throw SpeechRecognitionError.recognitionFailed(
      "\(configuration.service.displayName) broke off before the end of the text. Try again.")
  }
}

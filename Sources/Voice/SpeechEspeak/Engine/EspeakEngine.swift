import Foundation
import SpeechAudio
import SpeechCore
import SpeechText

/// eSpeak NG as a voice engine: about 130 languages, offline, with the first audio within
/// milliseconds.
///
/// ```swift
/// let engine = EspeakEngine()
/// let request = engine.makeRequest(text: "Good morning.", voiceId: "en-us+f3")
/// for try await chunk in engine.streamAudio(request: request, configuration: .default) {
///   play(chunk.audio)
/// }
/// ```
/// A voice is selected by its id or name (`"en-US"`, `"English (America)"`) or by a language tag
/// (`"de"`, `"pt-BR"`), optionally with a variant (`"en+f3"`). The options of a request override
/// the configuration: `"ssml"` (`"true"` or `"false"`), `"rate"` (0 to 1), `"pitch"` (0.5 to 2) and
/// `"volume"` (0 to 1).
///
/// All engines of a process share the library, which synthesises one piece of text at a time for
/// each in turn. Any number of engines may be used at once. Errors are
/// `SpeechSynthesisProviderError`, or `CancellationError` if the task was cancelled.
public struct EspeakEngine: VoiceEngine {
  /// The identifier of the provider that uses this engine.
  public static let identifier = "com.speechkit.espeak"
  /// True if the voices are installed.
  public static var isAvailable: Bool { EspeakData.folder() != nil }
  /// Always true: no data leaves the machine.
  public static let isOffline = true

  /// The identifier of the engine.
  public let engineId = "espeak-ng"

  /// Creates an engine. It holds no resources.
  public init() {}

  /// Returns true if the voices are in the configured folder or in a default location.
  public func canGenerate(with configuration: EspeakConfiguration) -> Bool {
    EspeakData.folder(preferring: configuration.dataFolder) != nil
  }

  /// Returns the voices for a language, or all voices.
  ///
  /// - Throws: `SpeechSynthesisProviderError.initializationFailed` if no voices are installed.
  public func fetchVoices(
    languageCode: String, configuration: EspeakConfiguration
  ) async throws -> [Voice] {
    try await EspeakLibrary.shared.voices(dataFolder: configuration.dataFolder)
      .voices(for: languageCode)
  }

  /// Returns true if a voice has this id, name or language.
  public func isVoiceAvailable(
    voiceId: String, configuration: EspeakConfiguration
  ) async -> Bool {
    let voices = try? await EspeakLibrary.shared.voices(dataFolder: configuration.dataFolder)
    return voices?.selection(for: voiceId) != nil
  }

  /// Synthesises the whole request as a WAV file.
  ///
  /// - Throws: `SpeechSynthesisProviderError`: `invalidText` if there is nothing to speak,
  ///   `voiceNotAvailable`, and `unknown` with the position for SSML that is not well-formed.
  public func generateAudio(
    request: VoiceEngineRequest, configuration: EspeakConfiguration
  ) async throws -> VoiceEngineOutput {
    let version = await EspeakLibrary.shared.version()
    return try await renderWAV(
      request, configuration: configuration,
      metadata: ["engine": engineId, "engineVersion": version])
  }

  /// Synthesises the request sentence by sentence, each on demand.
  ///
  /// Long sentences are divided after commas. Positions report where each word, sentence and mark
  /// of the text is heard, and its phonemes if the configuration requests them.
  public func streamAudio(
    request: VoiceEngineRequest, configuration: EspeakConfiguration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    let utterance = EspeakUtterance(request, configuration)
    return AsyncThrowingStream { try await utterance.next() }
  }

  /// Estimates the duration of the audio, to within about a fifth.
  public func estimateDuration(
    request: VoiceEngineRequest, configuration: EspeakConfiguration
  ) -> TimeInterval {
    DurationEstimate.seconds(
      request.text, configuration: (try? configuration.applying(request.options)) ?? .default,
      language: request.voiceId.isEmpty ? request.languageCode : request.voiceId)
  }
}

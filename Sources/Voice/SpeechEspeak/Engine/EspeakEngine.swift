import Foundation
import SpeechAudio
import SpeechCore
import SpeechText

/// eSpeak NG as a voice engine: about 130 languages, offline, the first sound within milliseconds.
///
/// ```swift
/// let engine = EspeakEngine()
/// let request = engine.makeRequest(text: "Good morning.", voiceId: "en-us+f3")
/// for try await chunk in engine.streamAudio(request: request, configuration: .default) {
///   play(chunk.audio)
/// }
/// ```
/// A voice is asked for by its id or name (`"en-US"`, `"English (America)"`) or by a language tag
/// (`"de"`, `"pt-BR"`), with a variant added if wished (`"en+f3"`). Options of requests are listed
/// below; what they say goes before the configuration.
///
/// All engines of a process share the one library, a piece of text at a time and in turn, so any number
/// of them may be used at once. Errors are `SpeechSynthesisProviderError`, and `CancellationError` when
/// the task was cancelled.
public struct EspeakEngine: VoiceEngine {
  /// Unique identifier of the provider that speaks with this engine.
  public static let identifier = "com.speechkit.espeak"
  /// Whether the voices are installed.
  public static var isAvailable: Bool { EspeakData.folder() != nil }
  /// Always: nothing leaves the machine.
  public static let isOffline = true

  /// The option that says whether the text is SSML: `"true"` or `"false"`.
  package static let ssmlOption = "ssml"
  /// The option for the pace, from 0 to 1.
  package static let rateOption = "rate"
  /// The option for the pitch, from 0.5 to 2.
  package static let pitchOption = "pitch"
  /// The option for the volume, from 0 to 1.
  package static let volumeOption = "volume"

  /// Unique identifier of the engine.
  public let engineId = "espeak-ng"

  /// An engine; it holds nothing.
  public init() {}

  /// Whether the voices are where the configuration says, or in a usual place.
  public func canGenerate(with configuration: EspeakConfiguration) -> Bool {
    EspeakData.folder(preferring: configuration.dataFolder) != nil
  }

  /// The voices for that language, or all.
  ///
  /// - Throws: `SpeechSynthesisProviderError.initializationFailed` when there are none.
  public func fetchVoices(
    languageCode: String, configuration: EspeakConfiguration
  ) async throws -> [Voice] {
    try await EspeakLibrary.shared.voices(dataFolder: configuration.dataFolder)
      .voices(for: languageCode)
  }

  /// Whether there is a voice with that id, name or language.
  public func isVoiceAvailable(
    voiceId: String, configuration: EspeakConfiguration
  ) async -> Bool {
    let voices = try? await EspeakLibrary.shared.voices(dataFolder: configuration.dataFolder)
    return voices?.selection(for: voiceId) != nil
  }

  /// Makes a WAV of the whole request.
  ///
  /// - Throws: `SpeechSynthesisProviderError`: `invalidText` when there is nothing to say,
  ///   `voiceNotAvailable`, `unknown` for SSML that is not well formed, saying where.
  public func generateAudio(
    request: VoiceEngineRequest, configuration: EspeakConfiguration
  ) async throws -> VoiceEngineOutput {
    let utterance = EspeakUtterance(request, configuration)
    var audio: PCMBuffer?
    while let chunk = try await utterance.next() {
      if audio == nil { audio = PCMBuffer(format: chunk.audio.format) }
      audio?.append(chunk.audio)
      guard (audio?.frameCount ?? 0) < Self.mostFrames else {
        throw SpeechSynthesisProviderError.unknown(
          "The speech is longer than a WAV file can be. Stream it instead, or speak it in parts.")
      }
    }
    let version = await EspeakLibrary.shared.version()
    return try VoiceEngineOutput(
      wav: audio ?? PCMBuffer(format: AudioFormat(sampleRate: 22_050)),
      metadata: ["engine": engineId, "engineVersion": version])
  }

  /// Makes the audio sentence by sentence, each when it is asked for.
  ///
  /// Long sentences come in parts, cut behind commas. Positions tell where in the text each word,
  /// sentence and mark is heard, and phonemes if the configuration asks for them.
  public func streamAudio(
    request: VoiceEngineRequest, configuration: EspeakConfiguration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    let utterance = EspeakUtterance(request, configuration)
    return AsyncThrowingStream { try await utterance.next() }
  }

  /// How long the audio will be, give or take a fifth.
  public func estimateDuration(
    request: VoiceEngineRequest, configuration: EspeakConfiguration
  ) -> TimeInterval {
    let configuration = (try? EspeakOptions.apply(request.options, to: configuration))
    return DurationEstimate.seconds(
      request.text, configuration: configuration ?? .default,
      language: request.voiceId.isEmpty ? request.languageCode : request.voiceId)
  }

  /// The phonemes of a text in that language or voice, a line for each clause, words with blanks
  /// between them.
  ///
  /// - Throws: `SpeechSynthesisProviderError.voiceNotAvailable` for an unknown language,
  ///   `invalidText` when there is nothing to say.
  package func phonemes(
    for text: String, language: String, notation: PhonemeNotation = .ipa,
    configuration: EspeakConfiguration = .default
  ) async throws -> String {
    let library = EspeakLibrary.shared
    let voices = try await library.voices(dataFolder: configuration.dataFolder)
    guard let voice = voices.selection(for: language) else {
      throw EspeakVoices.notAvailable(language)
    }
    var pieces = SpeechPieces(
      PlainTextTokens(text), filter: SpeakableTextFilter(writing: voice.writing))
    var lines: [String] = []
    while let piece = pieces.next() {
      try Task.checkCancellation()
      guard piece.text.isSpeakable else { continue }
      let order = EspeakOrder(
        text: piece.text.string, voice: voice.name,
        parameters: EspeakParameters(configuration), dataFolder: configuration.dataFolder)
      lines += try await library.phonemes(order, notation == .ipa ? .ipa : .mnemonics)
    }
    guard !lines.isEmpty else { throw SpeechSynthesisProviderError.invalidText }
    return lines.map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// What fits into a WAV file.
  private static let mostFrames = Int(Int32.max) / 2
}

/// How phonemes are written.
package enum PhonemeNotation: Sendable, Hashable {
  /// The International Phonetic Alphabet.
  case ipa
  /// The library's own notation in ASCII.
  case ascii
}

import Foundation
import SpeechAudio
import SpeechConcurrency

/// The boundary to one synthesis library or service: text in, audio out.
///
/// Engines are stateless values, safe for any number of concurrent callers. The caller assembles a
/// configuration for each operation. Engines know nothing of devices and listeners.
public protocol VoiceEngine<Configuration>: Sendable {
  /// The settings of the engine: speaking style, folders, keys.
  associatedtype Configuration: Sendable

  /// The unique identifier of the provider that speaks with this engine, in reverse domain order.
  static var identifier: String { get }

  /// True if the engine can run on this machine as installed.
  static var isAvailable: Bool { get }

  /// True if the engine needs no network.
  static var isOffline: Bool { get }

  /// The unique identifier of the engine, for diagnostics.
  var engineId: String { get }

  /// Returns true if audio can be generated with that configuration.
  func canGenerate(with configuration: Configuration) -> Bool

  /// Fetches the voices for that language (`"en"`, `"de-DE"`; empty for all).
  func fetchVoices(languageCode: String, configuration: Configuration) async throws -> [Voice]

  /// Generates the audio of the whole request.
  func generateAudio(
    request: VoiceEngineRequest, configuration: Configuration
  ) async throws -> VoiceEngineOutput

  /// Estimates the duration of the audio.
  func estimateDuration(request: VoiceEngineRequest, configuration: Configuration) -> TimeInterval

  /// Returns true if there is a voice with that identifier.
  func isVoiceAvailable(voiceId: String, configuration: Configuration) async -> Bool

  /// Generates the audio piece by piece, each as soon as it is available and not before it is
  /// requested.
  ///
  /// The default generates all of it as one piece.
  func streamAudio(
    request: VoiceEngineRequest, configuration: Configuration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error>
}

extension VoiceEngine {
  /// The name of the type, by default.
  public static var identifier: String { String(reflecting: Self.self) }

  /// True, unless the engine overrides it.
  public static var isAvailable: Bool { true }

  /// False, unless the engine overrides it.
  public static var isOffline: Bool { false }

  /// Creates a request to this engine.
  public func makeRequest(
    text: String, voiceId: String = "", languageCode: String = "", options: [String: String] = [:]
  ) -> VoiceEngineRequest {
    VoiceEngineRequest(
      text: text, voiceId: voiceId, languageCode: languageCode, options: options)
  }

  /// Generates all of the audio as one piece.
  public func streamAudio(
    request: VoiceEngineRequest, configuration: Configuration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    let isDone = OnceFlag()
    return AsyncThrowingStream {
      guard isDone.raise() else { return nil }
      let output = try await generateAudio(request: request, configuration: configuration)
      return VoiceEngineChunk(audio: try output.decodedAudio())
    }
  }
}

/// An immutable synthesis request.
public struct VoiceEngineRequest: Sendable, Hashable {
  /// The text to speak.
  public let text: String
  /// The engine's identifier of the voice; empty for the engine's default.
  public let voiceId: String
  /// The language as a BCP 47 tag; empty for the voice's own.
  public let languageCode: String
  /// Further options; each engine documents the keys it supports.
  public let options: [String: String]

  /// Creates a request to speak a text.
  public init(
    text: String, voiceId: String = "", languageCode: String = "", options: [String: String] = [:]
  ) {
    self.text = text
    self.voiceId = voiceId
    self.languageCode = languageCode
    self.options = options
  }
}

/// The next piece of an utterance.
public struct VoiceEngineChunk: Sendable, Equatable {
  /// The audio, which follows the previous piece. All pieces of an utterance have one format.
  public var audio: PCMBuffer
  /// The positions in the text that are heard within this piece, with times from the start of the
  /// utterance.
  public var positions: [SpeechPosition]

  /// Creates a piece with its positions.
  public init(audio: PCMBuffer, positions: [SpeechPosition] = []) {
    self.audio = audio
    self.positions = positions
  }
}

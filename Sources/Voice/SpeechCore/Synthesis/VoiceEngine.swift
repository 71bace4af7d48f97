import Foundation
import SpeechAudio
import SpeechConcurrency

/// The boundary to one synthesis library or service: text in, sound out.
///
/// Engines are stateless values, safe for any number of concurrent callers; whoever calls assembles a
/// configuration per operation. They know nothing of devices or of who listens.
public protocol VoiceEngine: Sendable {
  /// What the engine needs to know: manner of speaking, folders, keys.
  associatedtype Configuration: Sendable

  /// Unique identifier of the provider that speaks with this engine, in reverse domain order.
  static var identifier: String { get }

  /// Whether the engine could run on this machine as installed.
  static var isAvailable: Bool { get }

  /// Whether it needs no network.
  static var isOffline: Bool { get }

  /// Unique identifier of the engine, for diagnostics.
  var engineId: String { get }

  /// Whether audio could be made with that configuration.
  func canGenerate(with configuration: Configuration) -> Bool

  /// The voices for that language (`"en"`, `"de-DE"`; empty for all).
  func fetchVoices(languageCode: String, configuration: Configuration) async throws -> [Voice]

  /// Makes the audio of the whole request.
  func generateAudio(
    request: VoiceEngineRequest, configuration: Configuration
  ) async throws -> VoiceEngineOutput

  /// How long the audio will be, roughly.
  func estimateDuration(request: VoiceEngineRequest, configuration: Configuration) -> TimeInterval

  /// Whether there is such a voice.
  func isVoiceAvailable(voiceId: String, configuration: Configuration) async -> Bool

  /// Makes the audio piece by piece, each piece as soon as it is there and not before it is asked for.
  ///
  /// The default makes all of it and gives it in one piece.
  func streamAudio(
    request: VoiceEngineRequest, configuration: Configuration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error>
}

extension VoiceEngine {
  /// The name of the type, unless the engine states another.
  public static var identifier: String { String(reflecting: Self.self) }

  /// Available, unless the engine knows better.
  public static var isAvailable: Bool { true }

  /// In need of a network, unless the engine knows better.
  public static var isOffline: Bool { false }

  /// A request to this engine.
  public func makeRequest(
    text: String, voiceId: String = "", languageCode: String = "", options: [String: String] = [:]
  ) -> VoiceEngineRequest {
    VoiceEngineRequest(
      text: text, voiceId: voiceId, languageCode: languageCode, options: options)
  }

  /// All of the audio as one piece.
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

/// An immutable order to speak something.
public struct VoiceEngineRequest: Sendable, Hashable {
  /// What to speak.
  public let text: String
  /// The engine's own name of the voice; empty for the engine's choice.
  public let voiceId: String
  /// The language as a BCP 47 tag; empty for the voice's own.
  public let languageCode: String
  /// Further wishes; each engine documents the keys it knows.
  public let options: [String: String]

  /// A request.
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
  /// The sound, to be played behind the previous piece. All pieces of an utterance have one format.
  public var audio: PCMBuffer
  /// Places of the text that are heard within this piece, with times from the start of the utterance.
  public var positions: [SpeechPosition]

  /// A piece.
  public init(audio: PCMBuffer, positions: [SpeechPosition] = []) {
    self.audio = audio
    self.positions = positions
  }
}

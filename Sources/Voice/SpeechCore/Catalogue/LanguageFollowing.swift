import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechText

/// An engine that speaks each text with a voice of the text's own language.
///
/// A text whose language is not clear, such as “OK.”, is spoken in the language of the text before
/// it, or by the default voice. So is one in a language that the engine does not speak.
struct LanguageFollowing<Engine: ConfiguredVoice>: ConfiguredVoice {
  static var identifier: String { Engine.identifier }
  static var isAvailable: Bool { Engine.isAvailable }
  static var isOffline: Bool { Engine.isOffline }

  private let engine: Engine
  private let detector = LanguageDetector()
  /// The language of the latest text whose language was clear.
  private let latest = LatestLanguage()

  init(_ engine: Engine) {
    self.engine = engine
  }

  var engineId: String { engine.engineId }

  func canGenerate(with configuration: Void) -> Bool { engine.canGenerate(with: configuration) }

  func fetchVoices(languageCode: String, configuration: Void) async throws -> [Voice] {
    try await engine.fetchVoices(languageCode: languageCode, configuration: configuration)
  }

  func isVoiceAvailable(voiceId: String, configuration: Void) async -> Bool {
    voiceId == BackendName.followingLanguage
      ? Engine.isAvailable
      : await engine.isVoiceAvailable(voiceId: voiceId, configuration: configuration)
  }

  func estimateDuration(request: VoiceEngineRequest, configuration: Void) -> TimeInterval {
    engine.estimateDuration(request: request.speaking(""), configuration: configuration)
  }

  func generateAudio(
    request: VoiceEngineRequest, configuration: Void
  ) async throws -> VoiceEngineOutput {
    try await engine.generateAudio(
      request: await localised(request), configuration: configuration)
  }

  func streamAudio(
    request: VoiceEngineRequest, configuration: Void
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    let stream = LateStream {
      engine.streamAudio(request: await localised(request), configuration: configuration)
    }
    return AsyncThrowingStream { try await stream.next() }
  }

  @MainActor func makeProvider(on output: any AudioOutput) -> any SpeechSynthesisProvider {
    VoiceSynthesisProvider(engine: self, configuration: (), output: output)
  }

  /// The request with the language of its text in place of a voice.
  private func localised(_ request: VoiceEngineRequest) async -> VoiceEngineRequest {
    guard [BackendName.followingLanguage, ""].contains(request.voiceId),
      request.languageCode.isEmpty
    else { return request }
    if let language = detector.language(of: request.text), await speaks(language) {
      latest.value.withLock { $0 = language }
    }
    return request.speaking(latest.value.withLock { $0 })
  }

  /// A service is not asked: the voices of most speak every language.
  private func speaks(_ language: String) async -> Bool {
    guard Engine.isOffline else { return true }
    let voices = try? await engine.fetchVoices(languageCode: language, configuration: ())
    return voices?.isEmpty == false
  }
}

extension BackendName {
  /// The name of a voice that follows the language of each text.
  package static let followingLanguage = "auto"
}

extension VoiceEngineRequest {
  /// The same text in a language, without a voice.
  fileprivate func speaking(_ language: String) -> VoiceEngineRequest {
    VoiceEngineRequest(text: text, voiceId: "", languageCode: language, options: options)
  }
}

private final class LatestLanguage: Sendable {
  let value = Guarded("")
}

/// A stream that is created when its first element is requested.
private actor LateStream {
  private let create: @Sendable () async -> AsyncThrowingStream<VoiceEngineChunk, any Error>
  private var elements: AsyncThrowingStream<VoiceEngineChunk, any Error>.Iterator?

  init(_ create: @escaping @Sendable () async -> AsyncThrowingStream<VoiceEngineChunk, any Error>) {
    self.create = create
  }

  func next() async throws -> VoiceEngineChunk? {
    var elements: AsyncThrowingStream<VoiceEngineChunk, any Error>.Iterator
    if let begun = self.elements.take() {
      elements = begun
    } else {
      elements = await create().makeAsyncIterator()
    }
    defer { self.elements = elements }
    return try await elements.next(isolation: self)
  }
}

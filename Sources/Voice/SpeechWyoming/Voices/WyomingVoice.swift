import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// Voices of engines of the Wyoming protocol, such as Piper.
///
/// ```swift
/// let voice = WyomingVoice()
/// let audio = try await voice.render(
///   voice.makeRequest(text: "Good morning."),
///   configuration: WyomingVoiceConfiguration(engine: "localhost:10200"))
/// ```
/// The audio is returned sentence by sentence, while the engine makes the next one. A sentence in
/// which the engine is lost is spoken again from its beginning, and returned once, because few
/// voices speak in the same way twice. The option `"speaker"` of a request selects a speaker of a
/// voice that has several, and `"volume"` (0 to 1) overrides the configuration.
public struct WyomingVoice: VoiceEngine {
  /// The identifier of providers that speak with these voices.
  public static let identifier = "com.speechkit.wyoming"

  /// The identifier of the engine, for diagnostics.
  public let engineId = "wyoming"

  /// Creates the engine.
  public init() {}

  /// Returns true if the configuration has a valid address, or leaves it to the requests.
  public func canGenerate(with configuration: WyomingVoiceConfiguration) -> Bool {
    configuration.engine.map { (try? WyomingAddress($0)) != nil } ?? true
  }

  /// Returns the voices that the engine calls installed, for a language or all.
  public func fetchVoices(
    languageCode: String, configuration: WyomingVoiceConfiguration
  ) async throws -> [Voice] {
    do {
      let (engine, _) = try configuration.engine(for: "")
      let info = try await ExternalWork.run {
        try await engine.describe(until: .init(configuration.timeout))
      }
      return try engine.synthesiser(in: info).models.filter(\.isInstalled).filter { voice in
        languageCode.isEmpty || voice.languages.isEmpty
          || voice.languages.tag(for: languageCode) != nil
      }.map {
        Voice(
          id: $0.name, name: $0.description ?? $0.name,
          languages: $0.languages.map { $0.replacing("_", with: "-") })
      }
    } catch let error as WyomingError {
      throw SpeechSynthesisProviderError(error)
    }
  }

  /// Estimates the duration of the audio.
  public func estimateDuration(
    request: VoiceEngineRequest, configuration: WyomingVoiceConfiguration
  ) -> TimeInterval {
    Double(request.text.count) / 15 + configuration.style.preUtteranceDelay
      + configuration.style.postUtteranceDelay
  }

  /// Returns true if the engine lists the voice.
  public func isVoiceAvailable(
    voiceId: String, configuration: WyomingVoiceConfiguration
  ) async -> Bool {
    guard let (engine, name) = try? configuration.engine(for: voiceId) else { return false }
    let info = try? await ExternalWork.run {
      try await engine.describe(until: .init(configuration.timeout))
    }
    guard let info, let program = try? engine.synthesiser(in: info) else { return false }
    return name == nil || program.models.contains { $0.name == name }
  }

  /// Makes the audio of the whole text.
  public func generateAudio(
    request: VoiceEngineRequest, configuration: WyomingVoiceConfiguration
  ) async throws -> VoiceEngineOutput {
    try await renderWAV(request, configuration: configuration, metadata: ["engine": engineId])
  }

  /// Makes the audio sentence by sentence.
  public func streamAudio(
    request: VoiceEngineRequest, configuration: WyomingVoiceConfiguration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    do {
      let utterance = try WyomingUtterance(request, configuration)
      return AsyncThrowingStream {
        do {
          return try await utterance.next()
        } catch let error as WyomingError {
          throw SpeechSynthesisProviderError(error)
        }
      }
    } catch let error as WyomingError {
      return AsyncThrowingStream { throw SpeechSynthesisProviderError(error) }
    } catch {
      return AsyncThrowingStream { throw error }
    }
  }
}

extension SpeechSynthesisProviderError {
  init(_ error: WyomingError) {
    self = .initializationFailed(error.localizedDescription)
  }
}

extension WyomingEngine {
  /// The synthesiser among its programs.
  func synthesiser(in info: WyomingInfo) throws(WyomingError) -> WyomingInfo.Program {
    guard let program = info.synthesiser else {
      throw .unsuitable(
        "The Wyoming engine at \(address.description) has no voices. "
          + (info.recogniser == nil ? "" : "It has a recogniser: use it with --recogniser. ")
          + "Name the address of one that has.")
    }
    return program
  }
}

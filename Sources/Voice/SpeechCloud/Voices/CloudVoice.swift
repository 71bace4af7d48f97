import AIServices
import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// A voice engine over a service that speaks.
///
/// Played speech is asked for as samples and heard while the rest arrives; saved speech is MP3. Long texts
/// are cut at sentences within the service's limit, and the next part is asked for before the current one
/// ends. Errors are `SpeechSynthesisProviderError`, and `CancellationError` when the task was cancelled.
///
/// The options of requests are `rate` (0 to 1), `volume` (0 to 1), `model` and `instructions`; what they
/// say goes before the configuration.
public protocol CloudVoice: VoiceEngine where Configuration == CloudVoiceConfiguration {
  /// The service.
  associatedtype Service: SpeechService

  /// The service that speaks.
  var service: Service { get }

  /// Whether the service tells the times of the characters.
  var knowsTimings: Bool { get }

  /// What beside the request decides how it sounds: address, settings.
  var soundSettings: [String] { get }

  /// The pace that the service is asked for, from a rate of 0 to 1; `nil` for its own.
  func speed(forRate rate: Float) -> Double?
}

extension CloudVoice {
  /// It needs the network.
  public static var isOffline: Bool { false }

  /// The service's id.
  public var engineId: String { service.id }

  /// Whether the service's address can be one.
  public func canGenerate(with configuration: CloudVoiceConfiguration) -> Bool {
    service.isConfigured()
  }

  /// The voices of the service for that language, or all. A voice that states no language is one for all.
  public func fetchVoices(
    languageCode: String, configuration: CloudVoiceConfiguration
  ) async throws -> [Voice] {
    let language = languageCode.lowercased().split(separator: "-").first
    do {
      return try await service.voices().filter { voice in
        guard let language, !voice.languages.isEmpty else { return true }
        return voice.languages.contains {
          $0.lowercased().split(separator: "-").first == language
        }
      }.map { voice in
        Voice(
          id: voice.id, name: voice.name, languages: voice.languages,
          gender: voice.gender.flatMap(Voice.Gender.init) ?? .unspecified)
      }
    } catch {
      throw SpeechSynthesisProviderError.translated(error)
    }
  }

  /// Whether the service lists that voice.
  public func isVoiceAvailable(
    voiceId: String, configuration: CloudVoiceConfiguration
  ) async -> Bool {
    let voices = try? await service.voices()
    return voices?.contains { $0.id == voiceId } ?? false
  }

  /// How long the speech will be, roughly.
  public func estimateDuration(
    request: VoiceEngineRequest, configuration: CloudVoiceConfiguration
  ) -> TimeInterval {
    let style = (try? CloudVoiceOrder(request, configuration, voice: self))?.style ?? .default
    let pace = speed(forRate: style.rate) ?? 1
    return Double(request.text.count) / 15 / pace + style.preUtteranceDelay
      + style.postUtteranceDelay
  }

  /// The speech as MP3; as WAV where a text is so long that it takes several requests, because pieces of
  /// MP3 cannot be joined without a gap.
  public func generateAudio(
    request: VoiceEngineRequest, configuration: CloudVoiceConfiguration
  ) async throws -> VoiceEngineOutput {
    do {
      let order = try CloudVoiceOrder(request, configuration, voice: self)
      guard order.canBeSavedAsItIs, let whole = order.whole else {
        return try await rendered(request, configuration)
      }
      let reply = try await service.speak(order.request(for: whole, format: .mp3))
      let sound = try await reply.collected()
      guard let format = VoiceEngineAudioFormat(rawValue: reply.format.rawValue) else {
        return try await rendered(request, configuration)
      }
      return VoiceEngineOutput(
        audioData: sound, audioFormat: format, metadata: ["engine": engineId])
    } catch {
      throw SpeechSynthesisProviderError.translated(error)
    }
  }

  /// The speech as it comes.
  public func streamAudio(
    request: VoiceEngineRequest, configuration: CloudVoiceConfiguration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    do {
      let utterance = CloudUtterance(
        try CloudVoiceOrder(request, configuration, voice: self), service: service)
      return AsyncThrowingStream {
        do {
          return try await utterance.next()
        } catch {
          throw SpeechSynthesisProviderError.translated(error)
        }
      }
    } catch {
      return AsyncThrowingStream { throw error }
    }
  }

  private func rendered(
    _ request: VoiceEngineRequest, _ configuration: CloudVoiceConfiguration
  ) async throws -> VoiceEngineOutput {
    try VoiceEngineOutput(
      wav: try await render(request, configuration: configuration), metadata: ["engine": engineId])
  }
}

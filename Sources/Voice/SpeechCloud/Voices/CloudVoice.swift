import AIServices
import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// A voice engine that uses a speech service.
///
/// For playback, speech is requested as samples and played while the rest arrives. For files it is
/// MP3. Long texts are divided at sentences within the service's limit, and the next part is
/// requested before the current one ends. Errors are `SpeechSynthesisProviderError`, or
/// `CancellationError` if the task was cancelled.
///
/// The options of a request override the configuration: `"rate"` (0 to 1), `"volume"` (0 to 1),
/// `"model"` and `"instructions"`.
public protocol CloudVoice: VoiceEngine where Configuration == CloudVoiceConfiguration {
  /// The type of the service.
  associatedtype Service: SpeechService

  /// The service that synthesises the speech.
  var service: Service { get }

  /// True if the service reports the times of characters.
  var knowsTimings: Bool { get }

  /// Everything besides the request that affects the audio: address and settings.
  var soundSettings: [String] { get }

  /// Returns the service's speed for a rate from 0 to 1; `nil` for its default.
  func speed(forRate rate: Float) -> Double?
}

extension CloudVoice {
  /// Always false: the service needs the network.
  public static var isOffline: Bool { false }

  /// The identifier of the service.
  public var engineId: String { service.id }

  /// Returns true if the service is configured, with a valid address.
  public func canGenerate(with configuration: CloudVoiceConfiguration) -> Bool {
    service.isConfigured()
  }

  /// Returns the service's voices for a language, or all voices. A voice without a language
  /// supports all.
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
          gender: voice.gender.flatMap { Voice.Gender(rawValue: $0.lowercased()) } ?? .unspecified,
          description: voice.summary)
      }
    } catch {
      throw SpeechSynthesisProviderError.translated(error)
    }
  }

  /// Returns true if the service lists the voice.
  public func isVoiceAvailable(
    voiceId: String, configuration: CloudVoiceConfiguration
  ) async -> Bool {
    let voices = try? await service.voices()
    return voices?.contains { $0.id == voiceId } ?? false
  }

  /// Estimates the duration of the speech.
  public func estimateDuration(
    request: VoiceEngineRequest, configuration: CloudVoiceConfiguration
  ) -> TimeInterval {
    let style = (try? CloudVoiceOrder(request, configuration, voice: self))?.style ?? .default
    let pace = speed(forRate: style.rate) ?? 1
    return Double(request.text.count) / 15 / pace + style.preUtteranceDelay
      + style.postUtteranceDelay
  }

  /// Synthesises the speech as MP3, or as WAV for a text that takes several requests, because
  /// pieces of MP3 cannot be joined without a gap.
  public func generateAudio(
    request: VoiceEngineRequest, configuration: CloudVoiceConfiguration
  ) async throws -> VoiceEngineOutput {
    do {
      let order = try CloudVoiceOrder(request, configuration, voice: self)
      guard order.canBeSavedAsItIs, let whole = order.whole else {
        return try await renderWAV(
          request, configuration: configuration, metadata: ["engine": engineId])
      }
      let reply = try await service.speak(order.request(for: whole, format: .mp3))
      let sound = try await reply.collected()
      guard let format = VoiceEngineAudioFormat(rawValue: reply.format.rawValue) else {
        return try await renderWAV(
          request, configuration: configuration, metadata: ["engine": engineId])
      }
      return VoiceEngineOutput(
        audioData: sound, audioFormat: format, metadata: ["engine": engineId])
    } catch {
      throw SpeechSynthesisProviderError.translated(error)
    }
  }

  /// Synthesises the speech in chunks as they arrive.
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
}

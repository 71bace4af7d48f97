import CFlite
import Foundation
import SpeechAudio
import SpeechCore

/// Flite as a voice engine: four English voices, offline, well understood by recognisers.
///
/// ```swift
/// let engine = FliteEngine()
/// let request = engine.makeRequest(text: "Good morning.", voiceId: "rms")
/// let wav = try await engine.generateAudio(request: request, configuration: .default)
/// ```
/// The voices are `slt` (female), `rms`, `awb` and `kal` (male). Other languages than English are
/// `voiceNotAvailable`. The options of a request override the configuration: `"rate"` (0 to 1),
/// `"pitch"` (0.5 to 2) and `"volume"` (0 to 1). Any number of engines may be used at once; they
/// take turns at the library.
public struct FliteEngine: VoiceEngine {
  /// The identifier of the provider that uses this engine.
  public static let identifier = "com.speechkit.flite"
  /// Always true. A voice whose library is missing is reported when it is used.
  public static let isAvailable = true
  /// Always true: no data leaves the machine.
  public static let isOffline = true

  /// The identifier of the engine.
  public let engineId = "flite"

  /// Creates an engine. It holds no resources.
  public init() {}

  /// Returns true if the configuration names an existing voice, or none.
  public func canGenerate(with configuration: FliteConfiguration) -> Bool {
    configuration.voice.map { FliteVoice(id: $0) != nil } ?? true
  }

  /// Returns the four voices for English or for no particular language.
  public func fetchVoices(
    languageCode: String, configuration: FliteConfiguration
  ) async throws -> [Voice] {
    FliteVoice.speaks(languageCode) ? FliteVoice.allCases.map(\.voice) : []
  }

  /// Returns true if a voice has this id.
  public func isVoiceAvailable(
    voiceId: String, configuration: FliteConfiguration
  ) async -> Bool {
    FliteVoice(id: voiceId) != nil
  }

  /// Returns the pronunciation of a word in ARPAbet without stress, by Flite's dictionary and else
  /// by its letter-to-sound rules, or by the rules alone. For comparisons.
  package func phones(of word: String, byRulesAlone: Bool) async throws -> [String] {
    try await FliteLibrary.shared.phones(of: word, byRulesAlone: byRulesAlone)
      .map(FlitePronunciations.arpabet)
  }

  /// Synthesises the whole request as a WAV file.
  ///
  /// - Throws: `SpeechSynthesisProviderError`: `invalidText` if there is nothing to speak,
  ///   `voiceNotAvailable` for other languages and unknown voices.
  public func generateAudio(
    request: VoiceEngineRequest, configuration: FliteConfiguration
  ) async throws -> VoiceEngineOutput {
    try await renderWAV(
      request, configuration: configuration,
      metadata: ["engine": engineId, "engineVersion": FLITE_PROJECT_VERSION])
  }

  /// Synthesises the request sentence by sentence, each on demand, with the times of its words.
  public func streamAudio(
    request: VoiceEngineRequest, configuration: FliteConfiguration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    do {
      let speech = try FliteSpeech(request, configuration)
      return AsyncThrowingStream { try await speech.next() }
    } catch {
      return AsyncThrowingStream { throw error }
    }
  }

  /// Estimates the duration of the audio, to within about a fifth.
  public func estimateDuration(
    request: VoiceEngineRequest, configuration: FliteConfiguration
  ) -> TimeInterval {
    var units = 0.0
    for scalar in request.text.unicodeScalars {
      switch scalar.value {
      case 0x30...0x39: units += 3.5
      case 0x2C, 0x2E, 0x3B, 0x3A, 0x21, 0x3F: units += 2
      default: if scalar.isSpeakable { units += 1 }
      }
    }
    var changed = configuration
    changed.style = (try? changed.style.applying(request.options)) ?? changed.style
    let spoken = units / 12.5 / Double(changed.pace)
    return changed.style.preUtteranceDelay + spoken + changed.style.postUtteranceDelay
  }
}

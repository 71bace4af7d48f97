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
/// `voiceNotAvailable`. Any number of engines may be used at once; they take turns at the library.
public struct FliteEngine: VoiceEngine {
  /// Unique identifier of the provider that speaks with this engine.
  public static let identifier = "com.speechkit.flite"
  /// Always: the voices are linked in.
  public static let isAvailable = true
  /// Always: nothing leaves the machine.
  public static let isOffline = true

  /// The option for the pace, from 0 to 1.
  package static let rateOption = "rate"
  /// The option for the pitch, from 0.5 to 2.
  package static let pitchOption = "pitch"
  /// The option for the volume, from 0 to 1.
  package static let volumeOption = "volume"

  /// Unique identifier of the engine.
  public let engineId = "flite"

  /// An engine; it holds nothing.
  public init() {}

  /// Whether the configuration names a voice that exists, or none.
  public func canGenerate(with configuration: FliteConfiguration) -> Bool {
    configuration.voice.map { FliteVoice(id: $0) != nil } ?? true
  }

  /// The four voices, for English and for no language in particular.
  public func fetchVoices(
    languageCode: String, configuration: FliteConfiguration
  ) async throws -> [Voice] {
    FliteVoice.speaks(languageCode) ? FliteVoice.allCases.map(\.voice) : []
  }

  /// Whether there is a voice with that id.
  public func isVoiceAvailable(
    voiceId: String, configuration: FliteConfiguration
  ) async -> Bool {
    FliteVoice(id: voiceId) != nil
  }

  /// How Flite says a word, in ARPAbet without stress: by its dictionary and else by its rules of spelling,
  /// or by these alone. To compare with.
  package func phones(of word: String, byRulesAlone: Bool) async throws -> [String] {
    try await FliteLibrary.shared.phones(of: word, byRulesAlone: byRulesAlone)
      .map(FlitePronunciations.arpabet)
  }

  /// Makes a WAV of the whole request.
  ///
  /// - Throws: `SpeechSynthesisProviderError`: `invalidText` when there is nothing to say,
  ///   `voiceNotAvailable` for other languages and unknown voices.
  public func generateAudio(
    request: VoiceEngineRequest, configuration: FliteConfiguration
  ) async throws -> VoiceEngineOutput {
    let speech = try FliteSpeech(request, configuration)
    var audio = PCMBuffer(format: AudioFormat(sampleRate: 16_000))
    while let chunk = try await speech.next() {
      audio.append(chunk.audio)
      guard audio.frameCount < Int(Int32.max) / 2 else {
        throw SpeechSynthesisProviderError.unknown(
          "The speech is longer than a WAV file can be. Stream it instead, or speak it in parts.")
      }
    }
    return try VoiceEngineOutput(
      wav: audio, metadata: ["engine": engineId, "engineVersion": FLITE_PROJECT_VERSION])
  }

  /// Makes the audio sentence by sentence, each when it is asked for, with the times of its words.
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

  /// How long the audio will be, give or take a fifth.
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
    let changed = (try? FliteOptions.apply(request.options, to: configuration)) ?? configuration
    let spoken = units / 12.5 / Double(changed.pace)
    return changed.style.preUtteranceDelay + spoken + changed.style.postUtteranceDelay
  }
}

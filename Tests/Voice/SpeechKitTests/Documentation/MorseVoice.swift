import SpeechKit

/// A voice that keys Morse code.
struct MorseVoice: VoiceEngine {
  struct Configuration: Sendable {
    /// The length of a dot, which determines all others.
    var dot = Duration.milliseconds(60)
    /// The tone in hertz.
    var tone = 600.0
  }

  static let identifier = "com.example.morse"
  static let isOffline = true
  let engineId = "morse"

  func canGenerate(with configuration: Configuration) -> Bool { configuration.dot > .zero }

  func fetchVoices(
    languageCode: String, configuration: Configuration
  ) async throws -> [Voice] {
    [Voice(id: "key", name: "Morse key", languages: ["en"])]
  }

  func isVoiceAvailable(voiceId: String, configuration: Configuration) async -> Bool {
    voiceId == "key"
  }

  func estimateDuration(
    request: VoiceEngineRequest, configuration: Configuration
  ) -> TimeInterval {
    configuration.dot / .seconds(1) * Double(request.text.count) * 10
  }

  func generateAudio(
    request: VoiceEngineRequest, configuration: Configuration
  ) async throws -> VoiceEngineOutput {
    let signs = MorseCode.signs(of: request.text)
    guard !signs.isEmpty else { throw SpeechSynthesisProviderError.invalidText }
    var sound = PCMBuffer(format: .recognition)
    for sign in signs {
      switch sign {
      case ".": sound.append(key(for: 1, configuration))
      case "-": sound.append(key(for: 3, configuration))
      case " ": sound.append(.silence(configuration.dot * 2, format: sound.format))
      default: sound.append(.silence(configuration.dot * 6, format: sound.format))
      }
    }
    return VoiceEngineOutput(audioData: try AudioFile.encode(sound), audioFormat: .wav)
  }

  /// So many dots of tone, and one of silence.
  private func key(for dots: Int, _ configuration: Configuration) -> PCMBuffer {
    let format = AudioFormat.recognition
    let step = 2 * Double.pi * configuration.tone / Double(format.sampleRate)
    let samples = (0..<format.frames(in: configuration.dot * dots)).map { frame in
      Int16(8_000 * sin(Double(frame) * step))
    }
    var sound = PCMBuffer(samples: samples, format: format)
    sound.append(.silence(configuration.dot, format: format))
    return sound
  }
}

import Foundation
import SpeechKit

/// A voice of telephone tones: each digit or letter is the tone of its key on a telephone.
struct ToneVoice: VoiceEngine {
  struct Configuration: Sendable {
    /// The duration of a tone, which is followed by a silence of half that duration.
    var tone = Duration.milliseconds(160)
    /// The level of each of a key's two tones, from 0 to 1.
    var volume = 0.4
  }

  static let identifier = "com.example.tones"
  static let isOffline = true
  /// The rows and columns of a telephone's keypad.
  static let keys = ["123", "456", "789", "*0#"].map(Array.init)

  let engineId = "tones"
  private let format = AudioFormat.recognition
  private static let rows = [697.0, 770, 852, 941]
  private static let columns = [1_209.0, 1_336, 1_477]
  private static let letters = [
    "2": "abc", "3": "def", "4": "ghi", "5": "jkl", "6": "mno", "7": "pqrs", "8": "tuv",
    "9": "wxyz",
  ]

  func canGenerate(with configuration: Configuration) -> Bool { configuration.tone > .zero }

  func fetchVoices(languageCode: String, configuration: Configuration) async throws -> [Voice] {
    let isEnglish = languageCode.isEmpty || languageCode.lowercased().hasPrefix("en")
    return isEnglish ? [Voice(id: "keypad", name: "Telephone keypad", languages: ["en"])] : []
  }

  func isVoiceAvailable(voiceId: String, configuration: Configuration) async -> Bool {
    voiceId == "keypad"
  }

  func estimateDuration(
    request: VoiceEngineRequest, configuration: Configuration
  ) -> TimeInterval {
    configuration.tone / .seconds(1) * 1.5 * Double(request.text.count)
  }

  func generateAudio(
    request: VoiceEngineRequest, configuration: Configuration
  ) async throws -> VoiceEngineOutput {
    guard ["", "keypad"].contains(request.voiceId) else {
      throw SpeechSynthesisProviderError.voiceNotAvailable(request.voiceId)
    }
    let keys = request.text.lowercased().compactMap(Self.key)
    guard !keys.isEmpty else { throw SpeechSynthesisProviderError.invalidText }
    var audio = PCMBuffer(format: format)
    var sounds: [Character: PCMBuffer] = [:]
    for key in keys {
      try Task.checkCancellation()
      let sound = sounds[key] ?? sound(of: key, configuration)
      sounds[key] = sound
      audio.append(sound)
      audio.append(.silence(configuration.tone / 2, format: format))
    }
    return VoiceEngineOutput(audioData: try AudioFile.encode(audio), audioFormat: .wav)
  }

  /// Returns the key for a character: itself, or the key on which its letter is printed.
  private static func key(for character: Character) -> Character? {
    if keys.joined().contains(character) { return character }
    return letters.first { $0.value.contains(character) }?.key.first
  }

  private func sound(of key: Character, _ configuration: Configuration) -> PCMBuffer {
    guard let row = Self.keys.firstIndex(where: { $0.contains(key) }),
      let column = Self.keys[row].firstIndex(of: key)
    else { return PCMBuffer(format: format) }
    let step = 2 * .pi / Double(format.sampleRate)
    let level = configuration.volume / 2 * Double(Int16.max)
    let samples = (0..<format.frames(in: configuration.tone)).map { index in
      let time = step * Double(index)
      return Int16(level * (sin(Self.rows[row] * time) + sin(Self.columns[column] * time)))
    }
    return PCMBuffer(samples: samples, format: format)
  }
}

import Foundation
import SpeechAudio
import SpeechCore

/// The configuration of a voice loop.
///
/// ```swift
/// var configuration = VoiceLoopConfiguration()
/// configuration.rules.attention = .wakeWord(["computer"], window: .seconds(8))
/// configuration.greeting = "Hello. What can I do?"
/// ```
public struct VoiceLoopConfiguration: Sendable {
  /// The rules of turn-taking.
  public var rules: TurnRules
  /// The language of the user.
  public var locale: Locale
  /// The identifier of the voice that replies; `nil` for the engine's default.
  public var voice: String?
  /// The longest silence of a voice that should be heard. After it the sentence is abandoned and
  /// the next one tried. A voice that does not report its progress is waited for.
  public var voiceLimit: Duration
  /// The text that is spoken first. Nothing is spoken if it is empty.
  public var greeting: String
  /// The rule that ends an utterance; `nil` for the recogniser's own rule.
  public var endRule: UtteranceEndRule?
  /// True if the loop ends with its input, as at the end of a file.
  public var endsWithInput: Bool
  /// The earcon that confirms the wake word; `nil` for none.
  public var earcon: Earcon?
  /// The aligner that finds the words in the audio of voices that report no positions.
  public var aligner: (any WordAligner)?

  /// Creates a configuration; each parameter has a default that suits a conversation.
  public init(
    rules: TurnRules = TurnRules(), locale: Locale = Locale(identifier: "en-US"),
    voice: String? = nil, voiceLimit: Duration = .seconds(30), greeting: String = "",
    endRule: UtteranceEndRule? = nil,
    endsWithInput: Bool = false, earcon: Earcon? = nil, aligner: (any WordAligner)? = nil
  ) {
    self.rules = rules
    self.locale = locale
    self.voice = voice
    self.voiceLimit = voiceLimit
    self.greeting = greeting
    self.endRule = endRule
    self.endsWithInput = endsWithInput
    self.earcon = earcon
    self.aligner = aligner
  }
}

/// A short audio signal and the output that plays it.
public struct Earcon: Sendable {
  /// The audio of the signal.
  public var sound: PCMBuffer
  /// The output that plays the signal.
  public var output: any AudioOutput

  /// Creates an earcon of two rising notes, or of the given audio.
  public init(sound: PCMBuffer = .risingNotes, output: any AudioOutput) {
    self.sound = sound
    self.output = output
  }

  /// Plays the earcon and returns when it has been heard.
  func play() async throws {
    let playback = try await output.open(sound.format)
    do {
      try await playback.write(sound)
      try await playback.finish()
    } catch {
      playback.stop()
      throw error
    }
  }
}

extension PCMBuffer {
  /// Two soft rising notes of a tenth of a second each.
  public static var risingNotes: PCMBuffer {
    let format = AudioFormat(sampleRate: 22_050)
    let note = format.sampleRate / 10
    let samples = [660.0, 880.0].flatMap { frequency in
      (0..<note).map { index -> Int16 in
        // Soft at both ends, to avoid clicks.
        let shape = sin(.pi * Double(index) / Double(note))
        let phase = 2 * .pi * frequency * Double(index) / Double(format.sampleRate)
        return Int16(6_000 * shape * shape * sin(phase))
      }
    }
    return PCMBuffer(samples: samples, format: format)
  }
}

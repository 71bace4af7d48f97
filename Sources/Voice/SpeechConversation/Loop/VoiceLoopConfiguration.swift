import Foundation
import SpeechAudio
import SpeechCore

/// How a voice loop behaves.
///
/// ```swift
/// var configuration = VoiceLoopConfiguration()
/// configuration.rules.attention = .wakeWord(["computer"], window: .seconds(8))
/// configuration.greeting = "Hello. What can I do?"
/// ```
public struct VoiceLoopConfiguration: Sendable {
  /// How turns are taken.
  public var rules: TurnRules
  /// The language of the user.
  public var locale: Locale
  /// The voice that replies; `nil` for the engine's choice.
  public var voice: String?
  /// How long a voice may make no sound while it should before it is given up, and the next sentence tried. A
  /// voice that does not tell what was played of it is waited for.
  public var voiceLimit: Duration
  /// What is said first; nothing if empty.
  public var greeting: String
  /// When an utterance is over, by what has been understood of it; `nil` for the recogniser's own rule.
  public var endRule: UtteranceEndRule?
  /// Whether the loop ends when there is nothing more to hear, as at the end of a file.
  public var endsWithInput: Bool
  /// The sound that tells that the wake word was heard, and what it is played on.
  public var earcon: Earcon?
  /// Who places words in the sound of voices that do not tell where they are.
  public var aligner: (any WordAligner)?

  /// A configuration.
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

/// A short sound and what it is played on.
public struct Earcon: Sendable {
  /// The sound.
  public var sound: PCMBuffer
  /// What it is played on.
  public var output: any AudioOutput

  /// An earcon; two rising notes unless another sound is given.
  public init(sound: PCMBuffer = .risingNotes, output: any AudioOutput) {
    self.sound = sound
    self.output = output
  }

  /// Plays it and returns when it has been heard.
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
        // Soft at both ends, so that nothing clicks.
        let shape = sin(.pi * Double(index) / Double(note))
        let phase = 2 * .pi * frequency * Double(index) / Double(format.sampleRate)
        return Int16(6_000 * shape * shape * sin(phase))
      }
    }
    return PCMBuffer(samples: samples, format: format)
  }
}

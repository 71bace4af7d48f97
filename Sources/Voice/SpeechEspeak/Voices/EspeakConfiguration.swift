import Foundation
import SpeechCore

/// How eSpeak NG speaks.
///
/// ```swift
/// let calm = EspeakConfiguration(rate: 0.4, pitchMultiplier: 0.9, voice: "en-us+f3")
/// ```
public struct EspeakConfiguration: Sendable, Hashable {
  /// Which punctuation is read aloud by name.
  public enum Punctuation: Sendable, Hashable {
    /// None; it is heard as pauses and melody.
    case none
    /// All of it.
    case all
    /// These characters only.
    case some(String)
  }

  /// How capital letters are announced.
  public enum Capitals: Sendable, Hashable {
    /// They are not.
    case none
    /// By the word “capital”, in the voice's language.
    case spelling
    /// By raising the pitch by that many hertz, from 1 to 100.
    case pitch(Int)
  }

  /// Pace, pitch, volume and the silence around the words.
  ///
  /// The rate 0.5 is 175 words a minute, 0 is 80 and 1 is 450; pitch is in octaves, so that 2 is one
  /// octave above the voice's own; the volume 1 is the library's own.
  public var style: SpeakingStyle
  /// How lively the melody is, from 0 (monotone) to 1; 0.5 is the voice's own.
  public var pitchRange: Float
  /// Extra silence between words.
  public var wordGap: Duration
  /// Which punctuation is read aloud.
  public var punctuation: Punctuation
  /// How capital letters are announced.
  public var capitals: Capitals
  /// Whether the text is SSML. A request says otherwise with the option `EspeakEngine.ssmlOption`.
  public var interpretsSSML: Bool
  /// Whether positions contain phonemes.
  public var reportsPhonemes: Bool
  /// The voice for requests that name none: a voice's id, name or language, with `+variant` if wished.
  public var voice: String?
  /// Where the folder `espeak-ng-data` is, if not in a usual place. One process can use one only.
  public var dataFolder: String?

  /// The voice's own manner.
  public static let `default` = EspeakConfiguration()

  /// A configuration. Values outside their range are taken as the nearest within it.
  public init(
    rate: Float = 0.5, pitchMultiplier: Float = 1.0, volume: Float = 1.0,
    preUtteranceDelay: TimeInterval = 0, postUtteranceDelay: TimeInterval = 0,
    pitchRange: Float = 0.5, wordGap: Duration = .zero, punctuation: Punctuation = .none,
    capitals: Capitals = .none, interpretsSSML: Bool = false, reportsPhonemes: Bool = false,
    voice: String? = nil, dataFolder: String? = nil
  ) {
    self.style = SpeakingStyle(
      rate: rate, pitchMultiplier: pitchMultiplier, volume: volume,
      preUtteranceDelay: preUtteranceDelay, postUtteranceDelay: postUtteranceDelay)
    self.pitchRange = pitchRange.isNaN ? 0.5 : min(max(pitchRange, 0), 1)
    self.wordGap = min(max(wordGap, .zero), .seconds(2))
    self.punctuation = punctuation
    self.capitals = capitals
    self.interpretsSSML = interpretsSSML
    self.reportsPhonemes = reportsPhonemes
    self.voice = voice
    self.dataFolder = dataFolder
  }

  /// A configuration with that style and all else as usual.
  public init(style: SpeakingStyle, voice: String? = nil) {
    self.init(voice: voice)
    self.style = style
  }
}

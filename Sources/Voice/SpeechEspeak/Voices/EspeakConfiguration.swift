import Foundation
import SpeechCore

/// The configuration of eSpeak NG.
///
/// ```swift
/// let calm = EspeakConfiguration(rate: 0.4, pitchMultiplier: 0.9, voice: "en-us+f3")
/// ```
public struct EspeakConfiguration: Sendable, Hashable {
  /// The punctuation that is read aloud by name.
  public enum Punctuation: Sendable, Hashable {
    /// None. Punctuation affects only pauses and intonation.
    case none
    /// Every punctuation character.
    case all
    /// Only these characters.
    case some(String)
  }

  /// The announcement of capital letters.
  public enum Capitals: Sendable, Hashable {
    /// Capital letters are not announced.
    case none
    /// The word “capital”, in the voice's language.
    case spelling
    /// A raised pitch, by 1 to 100 hertz.
    case pitch(Int)
  }

  /// The pace, pitch, volume and the silence around the speech.
  ///
  /// A rate of 0.5 is 175 words per minute, 0 is 80 and 1 is 450. Pitch is in octaves: 2 is one
  /// octave above the voice's own. A volume of 1 is the library's default.
  public var style: SpeakingStyle
  /// The liveliness of the intonation, from 0 (monotone) to 1; 0.5 is the voice's default.
  public var pitchRange: Float
  /// Additional silence between words.
  public var wordGap: Duration
  /// The punctuation that is read aloud.
  public var punctuation: Punctuation
  /// The announcement of capital letters.
  public var capitals: Capitals
  /// True if the text is SSML. A request overrides it with the option `"ssml"`.
  public var interpretsSSML: Bool
  /// True if positions include phonemes.
  public var reportsPhonemes: Bool
  /// The voice for requests that name none: a voice's id, name or language, optionally with
  /// `+variant`.
  public var voice: String?
  /// The folder that contains `espeak-ng-data`; `nil` for the default locations. A process can use
  /// only one.
  public var dataFolder: String?

  /// The voice's default pace, pitch and volume.
  public static let `default` = EspeakConfiguration()

  /// Creates a configuration. Values out of range are replaced by the nearest valid ones.
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

  /// Creates a configuration with a style and defaults for everything else.
  public init(style: SpeakingStyle, voice: String? = nil) {
    self.init(voice: voice)
    self.style = style
  }

  /// The configuration with the options of a request.
  func applying(
    _ options: [String: String]
  ) throws(SpeechSynthesisProviderError) -> EspeakConfiguration {
    var changed = self
    changed.style = try style.applying(options)
    if let value = options["ssml"] {
      switch value.lowercased() {
      case "true", "yes", "1": changed.interpretsSSML = true
      case "false", "no", "0": changed.interpretsSSML = false
      default: throw .unknown("The option ssml is “\(value)”; it must be true or false.")
      }
    }
    return changed
  }
}

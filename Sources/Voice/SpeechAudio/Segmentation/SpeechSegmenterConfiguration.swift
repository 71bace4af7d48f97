/// The rules of a `SpeechSegmenter` for the beginning and the end of an utterance.
///
/// The defaults were measured on read, spontaneous and single-word recordings with added noise;
/// there, cut-off speech weighs more than too much silence.
public struct SpeechSegmenterConfiguration: Sendable, Hashable {
  /// The audio before the first loud frame that belongs to the utterance: words begin softly.
  public var preRoll: Duration
  /// The voice that is needed before anything is reported; shorter sounds, such as a click or a
  /// knock, are ignored.
  public var minimumSpeech: Duration
  /// The silence that makes a pause; shorter dips are part of speech.
  public var minimumSilence: Duration
  /// The silence that ends an utterance.
  public var maximumSilence: Duration
  /// The length at which an utterance is cut, at its quietest recent point.
  public var maximumUtterance: Duration
  /// The silence after the last voice that belongs to the utterance.
  public var trailingPadding: Duration
  /// The sensitivity to speech, from 0 (only clear speech) to 1 (anything above the background).
  public var sensitivity: Double

  /// Creates a configuration, with defaults that suit conversations and files.
  public init(
    preRoll: Duration = .milliseconds(300), minimumSpeech: Duration = .milliseconds(120),
    minimumSilence: Duration = .milliseconds(250), maximumSilence: Duration = .milliseconds(800),
    maximumUtterance: Duration = .seconds(30), trailingPadding: Duration = .milliseconds(300),
    sensitivity: Double = 0.5
  ) {
    self.preRoll = preRoll
    self.minimumSpeech = minimumSpeech
    self.minimumSilence = minimumSilence
    self.maximumSilence = maximumSilence
    self.maximumUtterance = maximumUtterance
    self.trailingPadding = trailingPadding
    self.sensitivity = sensitivity
  }
}

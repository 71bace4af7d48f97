/// When a `SpeechSegmenter` takes sound for an utterance, and for the end of one.
///
/// The defaults were measured on read, spontaneous and single-word recordings with noise added; being cut
/// off weighs more there than some silence too much.
public struct SpeechSegmenterConfiguration: Sendable, Hashable {
  /// How much sound from before the first loud frame belongs to the utterance: words begin softly.
  public var preRoll: Duration
  /// How much voice there has to be before anything is reported; what is shorter, such as a click or a
  /// knock, never was.
  public var minimumSpeech: Duration
  /// How long it has to be quiet for a pause; shorter dips are part of speaking.
  public var minimumSilence: Duration
  /// How long it has to be quiet for the utterance to be over.
  public var maximumSilence: Duration
  /// How long an utterance may become before it is cut, at its quietest point of late.
  public var maximumUtterance: Duration
  /// How much of the silence after the last voice stays with the utterance.
  public var trailingPadding: Duration
  /// How readily sound is taken for speech, from 0 (only clear speech) to 1 (anything that stands out).
  public var sensitivity: Double

  /// A configuration, with defaults that suit conversation as well as files.
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

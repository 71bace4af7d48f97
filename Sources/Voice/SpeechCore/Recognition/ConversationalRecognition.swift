/// A recogniser that can take part in a conversation: it reports when speech starts and stops,
/// accepts a rule for the end of an utterance, and can be muted.
///
/// Laws: `hearing` streams begin and end as those of `results` do, and contain the same results.
/// While `isMuted` is true nothing is heard, and an utterance in progress is discarded and reported
/// as ended.
@MainActor
public protocol ConversationalRecognition: SpeechRecognitionProvider {
  /// The events from now on, until listening ends.
  var hearing: AsyncStream<HearingEvent> { get }

  /// The rule for the end of an utterance; `nil` for the recogniser's own rule. Takes effect at
  /// once.
  var endRule: UtteranceEndRule? { get set }

  /// True while the recogniser is muted. Audio that arrives then only advances the time.
  var isMuted: Bool { get set }

  /// Ends the utterance in progress, as if the user had fallen silent.
  func endUtterance()

  /// Sets whether a key phrase has to be heard from the next utterance on.
  ///
  /// The default does nothing, for recognisers that do not listen for key phrases; the conversation
  /// then looks for the phrase in the text.
  func expectKeyPhrase(_ isExpected: Bool)

  /// Sets the words that the user answers from the next utterance on, such as a question.
  ///
  /// The default does nothing, for recognisers that do not use them.
  func setContext(_ text: String)
}

extension ConversationalRecognition {
  /// Ignores the setting by default.
  public func expectKeyPhrase(_ isExpected: Bool) {}
  /// Ignores the words by default.
  public func setContext(_ text: String) {}
}

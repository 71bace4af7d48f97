/// A provider that knows how far its latest text was heard, without the delay of a stream.
@MainActor
package protocol SentenceTracking: SpeechSynthesisProvider {
  /// Where in the latest text the sentence begins that was heard last, in Unicode scalars.
  var lastSentenceStart: Int { get }
}

/// A provider that knows the latest sentence heard of its text, without the delay of a stream.
@MainActor
package protocol SentenceTracking: SpeechSynthesisProvider {
  /// The start of that sentence in the text, in Unicode scalars.
  var lastSentenceStart: Int { get }
}

/// The reason why a voice loop did not answer something that was said.
public enum IgnoringReason: String, Sendable, Equatable, Codable, CaseIterable {
  /// No words were understood.
  case nothingUnderstood
  /// The recogniser rejected the utterance.
  case rejected
  /// The user only signalled that they are listening, as with “mhm”.
  case listenerSound
  /// The words are an echo of the loop's own reply.
  case ownWords
  /// The words came before the wake word or without the push-to-talk key.
  case notAddressed
  /// The words are a stop word, which is obeyed and not answered.
  case stopWord
  /// The words are answered after a reply that cannot be interrupted.
  case answeredLater
}

extension IgnoringReason {
  /// The reason as part of a sentence.
  package var inWords: String {
    switch self {
    case .nothingUnderstood: "of which nothing was understood"
    case .rejected: "which was not believed to be meant for us"
    case .listenerSound: "which is what listeners say"
    case .ownWords: "which are our own words"
    case .notAddressed: "which was not addressed to us"
    case .stopWord: "which is a stop word"
    case .answeredLater: "which is answered behind what cannot be interrupted"
    }
  }
}

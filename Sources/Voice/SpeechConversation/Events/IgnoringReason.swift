/// The reason for which something that was said is not answered.
public enum IgnoringReason: String, Sendable, Equatable, Codable {
  /// Nothing was understood.
  case nothingUnderstood
  /// The recogniser does not believe that it was for it.
  case rejected
  /// A listener's sound.
  case listenerSound
  /// Our own words.
  case ownWords
  /// It was said before the wake word or without the key.
  case notAddressed
  /// A stop word, which is obeyed and not answered.
  case stopWord
  /// It is answered behind what cannot be interrupted.
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

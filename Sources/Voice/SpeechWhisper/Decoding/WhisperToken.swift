/// A piece of text with its probability.
struct WhisperToken: Sendable, Equatable {
  /// The bytes of the text, which may end within a character.
  var bytes: [UInt8]
  var probability: Float
  var logProbability: Float
  /// The time at which the audio of the piece ends, in seconds from the start of the audio; `nil`
  /// if it is not known.
  var end: Double?
}

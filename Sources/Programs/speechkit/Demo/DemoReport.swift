import Foundation

/// A line of the guest's and the answer to it, with the times that it took. Times are in seconds.
struct DemoTurn: Encodable, Sendable {
  /// What the guest said; `nil` when a person did, which nobody knows but that person.
  let said: String?
  /// What was heard.
  let heard: String
  /// Whether the words heard are the words said.
  let isUnderstood: Bool
  /// How sure the recogniser was, from 0 to 1.
  let confidence: Float
  /// From the guest's last sound to the moment at which it is clear that nothing more comes.
  let detectionDelay: TimeInterval
  /// From that moment to the final words.
  let decodingTime: TimeInterval
  /// Both together: from the guest's last sound to the final words.
  let latency: TimeInterval
  /// What was answered.
  var answer = ""
  /// From the answer's text to its first sound.
  var firstSoundDelay: TimeInterval = 0

  init(
    said: String?, heard: String, confidence: Float, detectionDelay: TimeInterval,
    decodingTime: TimeInterval
  ) {
    self.said = said
    self.heard = heard
    self.confidence = confidence
    self.detectionDelay = detectionDelay
    self.decodingTime = decodingTime
    latency = detectionDelay + decodingTime
    isUnderstood = said.map { Self.words($0) == Self.words(heard) } ?? true
  }

  /// The words alone, without case and punctuation.
  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
  }
}

/// A whole conversation. Times are in seconds.
struct DemoReport: Encodable, Sendable {
  var guestVoice: String?
  var answeringVoice: String
  var greeting: String
  var turns: [DemoTurn] = []
  /// How long the conversation lasts.
  var duration: TimeInterval = 0
  /// How long it took to hold it.
  var elapsed: TimeInterval = 0
  /// Elapsed time by the conversation's: below 1 is faster than life.
  var realTimeFactor: TimeInterval = 0
  /// Whether all that was said was heard as it was said.
  var isUnderstood = false
  /// The sound of it.
  var file: String?
}

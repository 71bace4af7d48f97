import Foundation

/// A line of the guest and the answer to it, with its timings in seconds.
struct DemoTurn: Encodable, Sendable {
  /// The guest's words; `nil` for a person, whose words are unknown.
  let said: String?
  /// The recognised words.
  let heard: String
  /// True if the recognised words are the spoken ones.
  let isUnderstood: Bool
  /// The confidence of the recogniser, from 0 to 1.
  let confidence: Float
  /// From the guest's last audio to the detection of the end.
  let detectionDelay: TimeInterval
  /// From the detection to the final words.
  let decodingTime: TimeInterval
  /// From the guest's last audio to the final words.
  let latency: TimeInterval
  /// The answer of the coffee bar.
  var answer = ""
  /// From the answer's text to its first audio.
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

  /// The words without case and punctuation.
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
  /// The duration of the conversation.
  var duration: TimeInterval = 0
  /// The time that it took to hold it.
  var elapsed: TimeInterval = 0
  /// The elapsed time divided by the duration; below 1 is faster than real time.
  var realTimeFactor: TimeInterval = 0
  /// True if every line was recognised as it was spoken.
  var isUnderstood = false
  /// The file with the audio.
  var file: String?
}

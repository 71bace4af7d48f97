import Foundation

/// The text of a recording with its times.
public struct Transcript: Sendable, Equatable, Codable {
  /// The utterances in their order.
  public var segments: [TranscriptSegment]
  /// The duration of the recording, in seconds.
  public var duration: TimeInterval
  /// True if the recording is shorter than its header states, because the rest of it was lost.
  public var isCutOff: Bool

  /// The reason that the rest could not be decoded, if the recording is damaged. It is then cut
  /// off.
  public var damage: String?

  package init(
    segments: [TranscriptSegment], duration: TimeInterval, isCutOff: Bool = false,
    damage: String? = nil
  ) {
    self.segments = segments
    self.duration = duration
    self.isCutOff = isCutOff
    self.damage = damage
  }

  /// Decodes a transcript; one that does not state it was not cut off.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      segments: try container.decode([TranscriptSegment].self, forKey: .segments),
      duration: try container.decode(TimeInterval.self, forKey: .duration),
      isCutOff: try container.decodeIfPresent(Bool.self, forKey: .isCutOff) ?? false,
      damage: try container.decodeIfPresent(String.self, forKey: .damage))
  }

  /// The text of all utterances, one per line.
  public var text: String { segments.map(\.text).joined(separator: "\n") }

  /// All words in their order.
  public var words: [RecognizedWord] { segments.flatMap(\.words) }
}

/// An utterance of a transcript.
public struct TranscriptSegment: Sendable, Equatable, Codable {
  /// The start of the first word, in seconds.
  public var start: TimeInterval
  /// The end of the last word, in seconds.
  public var end: TimeInterval
  /// The words as text.
  public var text: String
  /// The confidence of the recogniser, from 0 to 1.
  public var confidence: Float
  /// The words with their times.
  public var words: [RecognizedWord]
  /// Other readings, the likeliest first.
  public var alternatives: [RecognitionAlternative]

  package init(
    start: TimeInterval, end: TimeInterval, text: String, confidence: Float = 1,
    words: [RecognizedWord] = [], alternatives: [RecognitionAlternative] = []
  ) {
    self.start = start
    self.end = end
    self.text = text
    self.confidence = confidence
    self.words = words
    self.alternatives = alternatives
  }

  /// Creates the segment of a final result; the times of its words take precedence over those of
  /// the utterance. `nil` if nothing was recognised.
  package init?(
    _ result: SpeechRecognitionResult, start: TimeInterval, end: TimeInterval
  ) {
    guard !result.text.isEmpty else { return nil }
    self.init(
      start: result.words.first?.start ?? start, end: result.words.last?.end ?? end,
      text: result.text, confidence: result.confidence, words: result.words,
      alternatives: result.alternatives)
  }
}

import Foundation

/// What was said in a recording, and when.
public struct Transcript: Sendable, Equatable, Codable {
  /// The utterances in their order.
  public var segments: [TranscriptSegment]
  /// How long the recording is, in seconds.
  public var duration: TimeInterval
  /// Whether the recording is shorter than it says itself: the rest of it was lost on its way here.
  public var isCutOff: Bool

  /// A transcript.
  package init(segments: [TranscriptSegment], duration: TimeInterval, isCutOff: Bool = false) {
    self.segments = segments
    self.duration = duration
    self.isCutOff = isCutOff
  }

  /// Reads what was encoded; what does not say so was not cut off.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      segments: try container.decode([TranscriptSegment].self, forKey: .segments),
      duration: try container.decode(TimeInterval.self, forKey: .duration),
      isCutOff: try container.decodeIfPresent(Bool.self, forKey: .isCutOff) ?? false)
  }

  /// All that was said, a line per utterance.
  public var text: String { segments.map(\.text).joined(separator: "\n") }

  /// All words in their order.
  public var words: [RecognizedWord] { segments.flatMap(\.words) }
}

/// An utterance of a transcript.
public struct TranscriptSegment: Sendable, Equatable, Codable {
  /// Where its first word starts, in seconds.
  public var start: TimeInterval
  /// Where its last word ends, in seconds.
  public var end: TimeInterval
  /// The words as text.
  public var text: String
  /// How sure the recogniser is, from 0 to 1.
  public var confidence: Float
  /// The words with their times.
  public var words: [RecognizedWord]
  /// What else may have been said, the likeliest first.
  public var alternatives: [RecognitionAlternative]

  /// A segment.
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

  /// The segment of a final result of that stretch of the recording; where the words have times, those
  /// are more exact. `nil` if nothing was recognised.
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

import SpeechAudio
import SpeechCore

/// What the library reported about a piece, as places of the text as passed and times of the whole
/// utterance.
struct PieceTimeline {
  /// In the order of their times.
  private(set) var positions: [SpeechPosition] = []
  /// The marks that were reported, as numbers of effects.
  private(set) var marks: Set<Int> = []
  /// Where the last word began.
  private(set) var lastWord: Int

  init(
    piece: SpeechPiece, rendered: MarkupRenderer.Rendered, events: [EspeakEvent],
    startFrame: Int, format: AudioFormat, lastWord: Int
  ) {
    self.lastWord = lastWord
    var isFirstSentence = true
    for (index, event) in events.enumerated() {
      let time = format.duration(ofFrames: startFrame + event.sample)
      let scalars = rendered.scalars(at: event.position, length: max(event.length, 1))
      var range = piece.text.origin(of: scalars)
      switch event.kind {
      case .sentence:
        defer { isFirstSentence = false }
        if isFirstSentence && piece.continuesSentence { continue }
        let next = events[(index + 1)...].first { $0.kind == .sentence }
        let end = next.map { rendered.scalars(at: $0.position, length: 1).lowerBound }
        range = Self.sentence(from: scalars.lowerBound, to: end, in: piece.text)
        positions.append(SpeechPosition(kind: .sentence, textRange: range, audioOffset: time))
      case .word:
        // The library also reports pauses as words without length.
        guard event.length > 0, range.lowerBound >= self.lastWord, !range.isEmpty else { continue }
        self.lastWord = range.lowerBound
        positions.append(SpeechPosition(kind: .word, textRange: range, audioOffset: time))
      case .mark(let name):
        guard let id = Int(name), let mark = rendered.mark(id) else { continue }
        marks.insert(id)
        positions.append(
          SpeechPosition(
            kind: .mark(mark.name), textRange: mark.place..<mark.place, audioOffset: time))
      case .phoneme(let name):
        guard !name.isEmpty else { continue }
        let word = positions.last { $0.kind == .word }?.textRange ?? range
        positions.append(
          SpeechPosition(kind: .phoneme(name), textRange: word, audioOffset: time))
      }
    }
  }

  /// From there to the next sentence or the end, without blanks at its end.
  private static func sentence(
    from start: Int, to end: Int?, in text: SpeakableText
  ) -> Range<Int> {
    var end = min(max(end ?? text.count, start), text.count)
    while end > start, text.scalars[end - 1].isBlank { end -= 1 }
    return text.origin(of: start..<end)
  }
}

import SpeechAudio
import SpeechCore
import SpeechText

/// The events of a piece, as positions in the original text and in the time of the whole utterance.
struct PieceTimeline {
  /// The positions in the order of their times.
  private(set) var positions: [SpeechPosition] = []
  /// The start of the last word.
  private(set) var lastWord: Int

  private let piece: SpeechPiece
  private let rendered: MarkupRenderer.Rendered
  private let startFrame: Int
  private let format: AudioFormat

  init(
    piece: SpeechPiece, rendered: MarkupRenderer.Rendered, startFrame: Int, format: AudioFormat,
    lastWord: Int
  ) {
    self.piece = piece
    self.rendered = rendered
    self.startFrame = startFrame
    self.format = format
    self.lastWord = lastWord
  }

  /// Adds sentences, words and phonemes.
  mutating func add(_ events: [EspeakEvent]) {
    var isFirstSentence = true
    for (index, event) in events.enumerated() {
      let scalars = rendered.scalars(at: event.position, length: max(event.length, 1))
      switch event.kind {
      case .sentence:
        defer { isFirstSentence = false }
        if isFirstSentence && piece.continuesSentence { continue }
        let next = events[(index + 1)...].first { $0.kind == .sentence }
        let end = next.map { rendered.scalars(at: $0.position, length: 1).lowerBound }
        add(.sentence, sentence(from: scalars.lowerBound, to: end), event)
      case .word:
        // The library also reports pauses, as words without length.
        let range = piece.text.origin(of: scalars)
        guard event.length > 0, range.lowerBound >= lastWord, !range.isEmpty else { continue }
        lastWord = range.lowerBound
        add(.word, range, event)
      case .phoneme(let name):
        guard !name.isEmpty else { continue }
        let word = positions.last { $0.kind == .word }?.textRange
        add(.phoneme(name), word ?? piece.text.origin(of: scalars), event)
      }
    }
  }

  /// Adds the marks. Each is reported with the first word after it, or at the end.
  ///
  /// The library is not used for this, because it reports marks between two sentences before the
  /// pause.
  mutating func add(
    marks effects: [SSMLScript.Effect], events: [EspeakEvent], frameCount: Int
  ) {
    var added = false
    for anchor in piece.text.anchors {
      guard case .mark(let name, let place) = effects[anchor.id] else { continue }
      let word = events.first { event in
        event.kind == .word && event.length > 0
          && rendered.scalars(at: event.position, length: 1).lowerBound >= anchor.index
      }
      let time = format.duration(ofFrames: startFrame + (word?.sample ?? frameCount))
      positions.append(
        SpeechPosition(kind: .mark(name), textRange: place..<place, audioOffset: time))
      added = true
    }
    if added { positions.sort { $0.audioOffset < $1.audioOffset } }
  }

  private mutating func add(
    _ kind: SpeechPosition.Kind, _ range: Range<Int>, _ event: EspeakEvent
  ) {
    let time = format.duration(ofFrames: startFrame + event.sample)
    positions.append(SpeechPosition(kind: kind, textRange: range, audioOffset: time))
  }

  /// The range from that position to the next sentence or the end, without trailing spaces.
  private func sentence(from start: Int, to end: Int?) -> Range<Int> {
    let text = piece.text
    // The library reports some sentences beyond the end.
    let start = min(start, text.count)
    var end = min(max(end ?? text.count, start), text.count)
    while end > start, text.scalars[end - 1].isBlank { end -= 1 }
    return text.origin(of: start..<end)
  }
}

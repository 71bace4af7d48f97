import SpeechText

/// Converts offsets to positions. Increasing offsets need one pass in total.
struct PositionCounter {
  private let text: [Unicode.Scalar]
  private var offset = 0
  private var line = 1
  private var column = 1

  init(_ text: [Unicode.Scalar]) {
    self.text = text
  }

  mutating func position(of wanted: Int) -> TextPosition {
    if wanted < offset { (offset, line, column) = (0, 1, 1) }
    while offset < min(wanted, text.count) {
      (line, column) = text[offset] == "\n" ? (line + 1, 1) : (line, column + 1)
      offset += 1
    }
    return TextPosition(line: line, column: column)
  }
}

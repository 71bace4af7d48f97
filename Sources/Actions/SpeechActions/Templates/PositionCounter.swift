import SpeechText

/// Converts offsets to positions. Increasing offsets need one pass in total.
struct PositionCounter {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var column = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func position(of wanted: Int) -> TextPosition {
    if wanted < offset { (offset, line, column) = (0, 1, 1) }
    while offset < min(wanted, bytes.count) {
      if bytes[offset] == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if bytes[offset] & 0xC0 != 0x80 {
        column += 1
      }
      offset += 1
    }
    return TextPosition(line: line, column: column)
  }
}

import Foundation

/// Lays text out for a terminal: lines of a width, and columns beside each other.
package enum TextColumns {
  /// The width of a character in columns: two for East Asian characters and emoji.
  package static func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  package static func width(of text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

  /// Wraps the text to the width, between words where possible.
  package static func wrapped(_ text: String, to width: Int) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { paragraph in wrapped(paragraph: String(paragraph).harmless, to: max(2, width)) }
  }

  private static func wrapped(paragraph: String, to limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var place = 0
    for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
      var word = String(word)
      var needed = width(of: word)
      if place > 0 {
        if place + 1 + needed <= limit {
          line += " " + word
          place += 1 + needed
          continue
        }
        lines.append(line)
        (line, place) = ("", 0)
      }
      while needed > limit {
        let head = cut(word, to: limit)
        lines.append(head)
        word = String(word.dropFirst(head.count))
        needed = width(of: word)
      }
      (line, place) = (word, needed)
    }
    lines.append(line)
    return lines
  }

  /// The longest beginning that fits.
  package static func cut(_ text: String, to limit: Int) -> String {
    var used = 0
    return String(
      text.prefix { character in
        used += width(of: character)
        return used <= limit
      })
  }

  /// The columns beside each other, each padded to the width.
  package static func beside(_ columns: [[String]], width: Int, gap: String) -> [String] {
    (0..<(columns.map(\.count).max() ?? 0)).map { row in
      let cells = columns.map { column in
        let cell = cut(row < column.count ? column[row] : "", to: width)
        return cell + String(repeating: " ", count: max(0, width - Self.width(of: cell)))
      }
      return cells.joined(separator: gap)
    }
  }
}

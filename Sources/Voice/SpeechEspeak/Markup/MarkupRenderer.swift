import SpeechCore
import SpeechText

/// Writes a piece as input for the library: as plain text if it contains no tags, else with the
/// tags that are open around it and in it.
enum MarkupRenderer {
  struct Tag: Sendable, Equatable {
    var tag: String
    var name: String
  }

  /// A piece as written for the library.
  struct Rendered: Sendable {
    var text = ""
    var isMarkup = false
    /// For each character of the text, the index of the piece's scalar that it represents or
    /// precedes.
    var scalarIndexes: [Int] = []
    /// The tags that are open after the piece.
    var openTags: [Tag] = []
    /// Returns the range of the piece's scalars that the characters represent.
    func scalars(at position: Int, length: Int) -> Range<Int> {
      guard isMarkup else { return position..<position + length }
      guard let last = scalarIndexes.indices.last else { return 0..<0 }
      let start = scalarIndexes[min(max(position, 0), last)]
      let end = scalarIndexes[min(max(position + length - 1, 0), last)]
      return start..<max(start, end + 1)
    }
  }

  static func render(
    _ piece: SpeechPiece, effects: [SSMLScript.Effect], openTags: [Tag]
  ) -> Rendered {
    var rendered = Rendered(openTags: openTags)
    if openTags.isEmpty, !piece.text.anchors.contains(where: { effects[$0.id].isTag }) {
      rendered.text = piece.text.string
    } else {
      rendered.isMarkup = true
      writeMarkup(piece.text, effects, &rendered)
    }
    if piece.ending == .word {
      // Without a comma, the part would end with the intonation of a sentence.
      while rendered.text.unicodeScalars.last?.isBlank == true {
        rendered.text.unicodeScalars.removeLast()
      }
      rendered.text += ","
    }
    return rendered
  }

  private static func writeMarkup(
    _ text: SpeakableText, _ effects: [SSMLScript.Effect], _ rendered: inout Rendered
  ) {
    var anchors = text.anchors[...]
    for tag in rendered.openTags { rendered.write(tag.tag, at: 0) }
    for index in 0...text.count {
      while let anchor = anchors.first, anchor.index <= index {
        anchors.removeFirst()
        switch effects[anchor.id] {
        case .open(let tag, let name):
          rendered.openTags.append(Tag(tag: tag, name: name))
          rendered.write(tag, at: index)
        case .close:
          guard let tag = rendered.openTags.popLast() else { break }
          rendered.write("</\(tag.name)>", at: index)
        case .mark, .pause, .end, .voice: break
        }
      }
      guard index < text.count else { break }
      switch text.scalars[index] {
      case "<": rendered.write("&lt;", at: index)
      case ">": rendered.write("&gt;", at: index)
      case "&": rendered.write("&amp;", at: index)
      case let scalar:
        rendered.text.unicodeScalars.append(scalar)
        rendered.scalarIndexes.append(index)
      }
    }
    for tag in rendered.openTags.reversed() { rendered.write("</\(tag.name)>", at: text.count) }
  }
}

extension MarkupRenderer.Rendered {
  fileprivate mutating func write(_ markup: String, at index: Int) {
    text += markup
    scalarIndexes += repeatElement(index, count: markup.unicodeScalars.count)
  }
}

import SpeechCore
import SpeechText

/// SSML as text, with effects between its characters and boundaries between its pieces.
struct SSMLScript: Sendable {
  /// The meaning of an anchor or boundary.
  enum Effect: Sendable, Equatable {
    /// A named mark, and the position of its tag.
    case mark(String, place: Int)
    /// The start of an element that the library supports, as a tag.
    case open(tag: String, name: String)
    /// The end of the innermost such element.
    case close
    /// Silence.
    case pause(milliseconds: Int)
    /// The end of a sentence or paragraph according to the markup.
    case end
    /// A change of voice.
    case voice(EspeakVoices.Selection)

    /// True if the library needs a tag for it.
    var isTag: Bool {
      switch self {
      case .open, .close: true
      case .mark, .pause, .end, .voice: false
      }
    }
  }

  enum Item: Sendable {
    /// Text whose scalars are those of the document from a position on.
    case text([Unicode.Scalar], start: Int)
    /// Text that stands for a range of the document as a whole.
    case replacement([Unicode.Scalar], place: Range<Int>)
    case anchor(Int)
    case boundary(Int)
    case writing(WritingSystem)
  }

  var items: [Item] = []
  var effects: [Effect] = []

  mutating func addAnchor(_ effect: Effect) {
    items.append(.anchor(effects.count))
    effects.append(effect)
  }

  mutating func addBoundary(_ effect: Effect) {
    items.append(.boundary(effects.count))
    effects.append(effect)
  }

  /// The script as tokens, produced on demand.
  struct Tokens: IteratorProtocol, Sendable {
    private let items: [Item]
    private var item = 0
    private var scalar = 0

    init(_ script: SSMLScript) {
      items = script.items
    }

    mutating func next() -> SpeechToken? {
      while item < items.count {
        switch items[item] {
        case .text(let scalars, let start):
          if scalar < scalars.count {
            defer { scalar += 1 }
            return .scalar(scalars[scalar], origin: start + scalar..<start + scalar + 1)
          }
        case .replacement(let scalars, let place):
          if scalar < scalars.count {
            defer { scalar += 1 }
            return .scalar(scalars[scalar], origin: place)
          }
        case .anchor(let id):
          item += 1
          return .anchor(id)
        case .boundary(let id):
          item += 1
          return .boundary(id)
        case .writing(let writing):
          item += 1
          return .writing(writing)
        }
        item += 1
        scalar = 0
      }
      return nil
    }
  }
}

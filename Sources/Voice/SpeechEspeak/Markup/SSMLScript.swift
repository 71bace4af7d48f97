import SpeechCore
import SpeechText

/// SSML turned into text, effects between its characters and boundaries between its pieces.
struct SSMLScript: Sendable {
  /// What an anchor or boundary means.
  enum Effect: Sendable, Equatable {
    /// A place with a name, and where its tag stands.
    case mark(String, place: Int)
    /// The beginning of an element that the library understands, as a tag.
    case open(tag: String, name: String)
    /// The end of the innermost of them.
    case close
    /// Silence.
    case pause(milliseconds: Int)
    /// The end of a sentence or paragraph that the markup states.
    case end
    /// Another voice from here on.
    case voice(EspeakVoices.Selection)

    /// Whether the library has to be told.
    var isTag: Bool {
      switch self {
      case .open, .close: true
      case .mark, .pause, .end, .voice: false
      }
    }
  }

  enum Item: Sendable {
    /// Each scalar is one of the document, from that place on.
    case text([Unicode.Scalar], start: Int)
    /// All scalars stand for that place of the document.
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

  /// The script as tokens, made as they are asked for.
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

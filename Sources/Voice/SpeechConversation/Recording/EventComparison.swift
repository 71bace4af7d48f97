/// Whether two conversations went the same way, and where they part.
///
/// ```swift
/// let comparison = EventComparison(bundle.events, replayed)
/// print(comparison.difference?.text ?? "the same")
/// ```
public struct EventComparison: Sendable {
  /// How like each other they have to be.
  public enum Exactness: Sendable {
    /// The same events at the same microseconds; the order within one instant does not count.
    case exact
    /// The same story: who said what, what was ignored and why, which replies were heard and which were
    /// interrupted. When, at which word, by how many guesses and in which pieces is not compared.
    case story
  }

  /// Where they part.
  public struct Difference: Sendable, Hashable {
    /// How many events are the same before it.
    public var agreeing: Int
    /// The last of those.
    public var before: [String]
    /// How the recorded one goes on, as lines of JSON.
    public var recorded: [String]
    /// How the other one goes on.
    public var replayed: [String]

    /// All of it as lines: what is the same after two blanks, the recorded ones after `-`, the others after
    /// `+`.
    public var text: String {
      (before.map { "  " + $0 } + recorded.map { "- " + $0 } + replayed.map { "+ " + $0 })
        .joined(separator: "\n")
    }
  }

  /// How many events were compared.
  public let count: Int
  /// The first difference; `nil` if there is none.
  public let difference: Difference?

  private static let linesAround = 3

  /// Compares two conversations.
  public init(
    _ recorded: [VoiceLoopEvent], _ replayed: [VoiceLoopEvent], exactness: Exactness = .exact
  ) {
    let ours = Self.instants(recorded, exactness)
    let theirs = Self.instants(replayed, exactness)
    count = ours.reduce(0) { $0 + $1.count }
    let same = zip(ours, theirs).prefix { $0.sorted() == $1.sorted() }.count
    if same == ours.count, same == theirs.count {
      difference = nil
    } else {
      var before = ours[..<same].flatMap(\.self)
      var (ourRest, theirRest) = (ours[same...].flatMap(\.self), theirs[same...].flatMap(\.self))
      let alike = zip(ourRest, theirRest).prefix { $0 == $1 }.count
      before += ourRest.prefix(alike)
      ourRest.removeFirst(alike)
      theirRest.removeFirst(alike)
      difference = Difference(
        agreeing: before.count, before: before.suffix(Self.linesAround),
        recorded: Array(ourRest.prefix(Self.linesAround)),
        replayed: Array(theirRest.prefix(Self.linesAround)))
    }
  }

  /// The lines of what is compared, those of one instant together.
  private static func instants(
    _ events: [VoiceLoopEvent], _ exactness: Exactness
  ) -> [[String]] {
    switch exactness {
    case .exact:
      var instants: [[String]] = []
      var last: Double?
      for event in events {
        let time = event.time.inMicroseconds
        if time == last {
          instants[instants.count - 1].append(event.line)
        } else {
          instants.append([event.line])
        }
        last = time
      }
      return instants
    case .story:
      return events.filter(\.isOfTheStory).map { event in
        var event = event
        event.time = .zero
        if case .interrupted(let heard, let unheard) = event.kind {
          let words = SpokenWords(heard + " " + unheard)
          event.kind = .interrupted(heard: "", unheard: words.text)
        }
        return [event.line]
      }
    }
  }
}

extension VoiceLoopEvent {
  fileprivate var isOfTheStory: Bool {
    switch kind {
    case .userStarted, .userPartial, .word, .timings, .replyText, .replyHeld, .replyResumed: false
    default: true
    }
  }
}

import Foundation
import SpeechConversation

/// A comparison of the events of two conversations.
///
/// ```swift
/// let comparison = EventComparison(bundle.events, replayed)
/// print(comparison.difference?.text ?? "the same")
/// ```
public struct EventComparison: Sendable {
  /// The likeness that two conversations must have.
  public enum Exactness: Sendable {
    /// The same events at the same microseconds. The order within one instant is ignored.
    case exact
    /// The same story: the same words of both sides, the same ignored speech, the same replies
    /// heard or interrupted. Times, words of an interruption, partial results and pieces of text
    /// are ignored.
    case story
  }

  /// The first difference between two conversations.
  public struct Difference: Sendable, Hashable {
    /// The number of equal events before it.
    public var agreeing: Int
    /// The last of the equal events.
    public var before: [String]
    /// The next events of the recorded conversation, as lines of JSON.
    public var recorded: [String]
    /// The next events of the other conversation, as lines of JSON.
    public var replayed: [String]

    /// The difference as text: equal events after two blanks, recorded ones after `-`, others after
    /// `+`.
    public var text: String {
      (before.map { "  " + $0 } + recorded.map { "- " + $0 } + replayed.map { "+ " + $0 })
        .joined(separator: "\n")
    }
  }

  /// The number of events that were compared.
  public let count: Int
  /// The first difference; `nil` if there is none.
  public let difference: Difference?

  private static let linesAround = 3

  /// Compares the events of two conversations.
  public init(
    _ recorded: [VoiceLoopEvent], _ replayed: [VoiceLoopEvent], exactness: Exactness = .exact
  ) {
    self.init(recorded, replayed, exactness: exactness, before: nil)
  }

  /// Compares the events of two conversations.
  ///
  /// - Parameter end: the time from which on the recorded conversation is not known; `nil` if it is
  ///   complete.
  package init(
    _ recorded: [VoiceLoopEvent], _ replayed: [VoiceLoopEvent], exactness: Exactness,
    before end: Duration?
  ) {
    func known(_ events: [VoiceLoopEvent]) -> [VoiceLoopEvent] {
      // Recorded times are rounded, and the end is one of them.
      events.filter { event in end.map { event.time.inMicroseconds < $0.inMicroseconds } ?? true }
    }
    let ours = Self.instants(known(recorded), exactness)
    var theirs = Self.instants(exactness == .exact ? known(replayed) : replayed, exactness)
    // Devices delay events, so more of them may have happened until the end.
    if end != nil, exactness == .story { theirs = Array(theirs.prefix(ours.count)) }
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

  /// Returns the lines to compare, grouped by instant.
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

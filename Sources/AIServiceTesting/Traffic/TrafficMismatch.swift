/// A request that was not recorded, and the recorded one that is nearest.
public struct TrafficMismatch: Sendable, Equatable, CustomStringConvertible {
  /// One thing in which two requests differ.
  public struct Difference: Sendable, Equatable {
    /// Where, like `body.messages[0].content`.
    public var place: String
    /// What was recorded, shortened around where they part.
    public var recorded: String
    /// What was asked.
    public var asked: String
  }

  /// What was asked, without secrets.
  public var asked: RecordedExchange.Request
  /// The nearest that was recorded; `nil` where there is none.
  public var nearest: RecordedExchange.Request?
  /// Its number in the recording, counted from 1.
  public var number: Int?
  /// In what the two differ.
  public var differences: [Difference]
  /// How often the same was recorded, if it has been asked for as often already; else 0.
  public var timesUsed: Int

  /// What was asked, and how it differs.
  public var description: String {
    let title = "\(asked.title) was not recorded"
    if timesUsed > 0 {
      let times = timesUsed == 1 ? "once" : "\(timesUsed) times"
      return "\(asked.title) was recorded \(times), and is asked for once more."
    }
    guard let nearest, let number else { return "\(title): nothing is left in the recording." }
    let lines = differences.map {
      "\n  \($0.place):\n    recorded \($0.recorded)\n    asked    \($0.asked)"
    }
    return "\(title). The nearest is number \(number), \(nearest.title), and differs in"
      + lines.joined()
  }
}

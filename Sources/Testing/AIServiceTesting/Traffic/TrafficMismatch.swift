import AIServices

/// A request that was not recorded, or a message that was not sent over a WebSocket then, and the recorded one that is
/// nearest.
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
  /// Its number in the recording, counted from 1: among the exchanges, or among the WebSockets.
  public var number: Int?
  /// What was sent, without secrets; `nil` where the request itself was not recorded.
  public var sent: WebSocketMessage?
  /// The nearest that was sent over that connection and is not sent yet; `nil` where there is none.
  public var nearestSent: WebSocketMessage?
  /// In what the two differ.
  public var differences: [Difference]
  /// How often the same was recorded, if it has been asked for as often already; else 0.
  public var timesUsed: Int

  /// What was asked, and how it differs.
  public var description: String {
    if let sent { return description(of: sent) }
    let title = "\(asked.title) was not recorded"
    if timesUsed > 0 {
      let times = timesUsed == 1 ? "once" : "\(timesUsed) times"
      return "\(asked.title) was recorded \(times), and is asked for once more."
    }
    guard let nearest, let number else { return "\(title): nothing is left in the recording." }
    return "\(title). The nearest is number \(number), \(nearest.title), and differs in"
      + lines("asked")
  }

  private func description(of sent: WebSocketMessage) -> String {
    let title = "What was sent over \(asked.title) was not recorded"
    guard let nearestSent else {
      return "\(title): nothing is left to be sent there. It is \(sent.shown)."
    }
    return "\(title). It is \(sent.shown). The nearest is \(nearestSent.shown), and differs in"
      + lines("sent ")
  }

  private func lines(_ verb: String) -> String {
    differences.map {
      "\n  \($0.place):\n    recorded \($0.recorded)\n    \(verb)    \($0.asked)"
    }.joined()
  }
}

extension WebSocketMessage {
  /// The message for people, shortened.
  fileprivate var shown: String {
    switch self {
    case .text(let text): "“\(text.prefix(80))\(text.count > 80 ? "…" : "")”"
    case .binary(let data): "\(data.count) bytes"
    }
  }
}

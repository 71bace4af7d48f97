import AIServices

/// A request or message that was not recorded, with the nearest recorded one.
public struct TrafficMismatch: Sendable, Equatable, CustomStringConvertible {
  /// One difference between two requests.
  public struct Difference: Sendable, Equatable {
    /// The position, like `body.messages[0].content`.
    public var place: String
    /// The recorded value, shortened around the difference.
    public var recorded: String
    /// The value of the request.
    public var asked: String
  }

  /// The request, without secrets.
  public var asked: RecordedExchange.Request
  /// The nearest recorded request; `nil` if there is none.
  public var nearest: RecordedExchange.Request?
  /// Its number in the recording, counted from 1 among the exchanges or the WebSockets.
  public var number: Int?
  /// The message, without secrets; `nil` if the request itself was not recorded.
  public var sent: WebSocketMessage?
  /// The nearest recorded message of the connection that has not been sent yet; `nil` if there is
  /// none.
  public var nearestSent: WebSocketMessage?
  /// The differences between the two.
  public var differences: [Difference]
  /// The number of equal recorded requests, if all of them have been used; else 0.
  public var timesUsed: Int

  /// A description of the request and its differences.
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
  /// The message for descriptions, shortened.
  fileprivate var shown: String {
    switch self {
    case .text(let text): "“\(text.prefix(80))\(text.count > 80 ? "…" : "")”"
    case .binary(let data): "\(data.count) bytes"
    }
  }
}

/// How long the stages of a turn took.
public struct TurnTimings: Sendable, Hashable, Codable {
  /// The turn.
  public var turn: Int
  /// From the user's last voice until it was decided that the turn is over.
  public var endOfTurn: Duration?
  /// From there to the final text.
  public var finalText: Duration?
  /// From there to the first piece of the reply; negative if it was thought of early.
  public var firstToken: Duration?
  /// From there to the first sample of the reply at the device.
  public var firstSound: Duration?
  /// Where the turn interrupted a reply: from the moment at which the user's voice was noticed over it until
  /// it was held.
  public var interruption: Duration?

  /// The timings of a turn of which nothing is known yet.
  public init(turn: Int) { self.turn = turn }

  /// From the user's last voice to the first sample of the reply.
  public var total: Duration? {
    guard let endOfTurn, let finalText, let firstToken, let firstSound else { return nil }
    return endOfTurn + finalText + firstToken + firstSound
  }
}

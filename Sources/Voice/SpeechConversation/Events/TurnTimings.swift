/// The durations of the stages of a turn.
public struct TurnTimings: Sendable, Hashable, Codable {
  /// The number of the turn.
  public var turn: Int
  /// The time from the user's last voice to the decision that the turn is over.
  public var endOfTurn: Duration?
  /// The time from the end of the turn to the final text.
  public var finalText: Duration?
  /// The time from the final text to the first piece of the reply. Negative if the reply was
  /// requested early.
  public var firstToken: Duration?
  /// The time from the first piece of the reply to its first sample at the device.
  public var firstSound: Duration?
  /// The time from noticing the user's voice over a reply to holding that reply; `nil` if the turn
  /// interrupted nothing.
  public var interruption: Duration?

  /// Creates timings in which no stage is known yet.
  public init(turn: Int) { self.turn = turn }

  /// The time from the user's last voice to the first sample of the reply.
  public var total: Duration? {
    guard let endOfTurn, let finalText, let firstToken, let firstSound else { return nil }
    return endOfTurn + finalText + firstToken + firstSound
  }
}

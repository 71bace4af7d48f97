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

/// Follows one turn and notes when what happened.
struct TurnStopwatch: Sendable, Equatable {
  private var lastVoice: Duration?
  private var decided: Duration?
  private var final: Duration?
  private var token: Duration?
  private var began: Duration?
  private var interruption: Duration?
  private(set) var timings: TurnTimings

  init(turn: Int) { timings = TurnTimings(turn: turn) }

  /// The user has begun to speak.
  mutating func started(at time: Duration) {
    began = time
    interruption = nil
  }

  /// A reply that was being heard is held for what the user says.
  mutating func held(at time: Duration) { interruption = began.map { time - $0 } }

  /// The user has fallen silent; of several times the last before the final text counts.
  mutating func stopped(lastVoice: Duration, at time: Duration) {
    self.lastVoice = lastVoice
    decided = time
  }

  /// The next turn, which begins with its final text.
  mutating func begin(turn: Int) {
    timings = TurnTimings(turn: turn)
    timings.interruption = interruption
    interruption = nil
    final = nil
  }

  /// A responder has been asked; what came of an earlier one does not count.
  mutating func hasAsked() { token = nil }

  mutating func hasFinal(at time: Duration) {
    final = time
    if let lastVoice, let decided { timings.endOfTurn = decided - lastVoice }
    timings.finalText = time - (decided ?? time)
    if let token { timings.firstToken = token - time }
  }

  mutating func hasToken(at time: Duration) {
    guard token == nil else { return }
    token = time
    if let final { timings.firstToken = time - final }
  }

  /// Tells whether this is the first sound.
  mutating func hasSound(at time: Duration) -> Bool {
    guard timings.firstSound == nil, let final else { return false }
    timings.firstSound = time - max(token ?? final, final)
    // What was thought of before the turn's end cost no time.
    if let token, token < final { timings.firstToken = .zero }
    return true
  }
}

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

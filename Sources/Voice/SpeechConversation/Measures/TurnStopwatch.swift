/// Measures the stages of one turn.
struct TurnStopwatch: Sendable, Equatable {
  private var lastVoice: Duration?
  private var decided: Duration?
  private var final: Duration?
  private var token: Duration?
  private var began: Duration?
  private var interruption: Duration?
  private(set) var timings: TurnTimings

  init(turn: Int) { timings = TurnTimings(turn: turn) }

  /// Notes that the user has begun to speak.
  mutating func started(at time: Duration) {
    began = time
    interruption = nil
  }

  /// Notes that the reply is held for the user's speech.
  mutating func held(at time: Duration) { interruption = began.map { time - $0 } }

  /// Notes that the user has fallen silent. The last such time before the final text counts.
  mutating func stopped(lastVoice: Duration, at time: Duration) {
    self.lastVoice = lastVoice
    decided = time
  }

  /// Begins the next turn, which starts with its final text.
  mutating func begin(turn: Int) {
    timings = TurnTimings(turn: turn)
    timings.interruption = interruption
    interruption = nil
    final = nil
  }

  /// Notes that a responder was asked; the pieces of an earlier reply no longer count.
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

  /// Returns true for the first audio of the reply.
  mutating func hasSound(at time: Duration) -> Bool {
    guard timings.firstSound == nil, let final else { return false }
    timings.firstSound = time - max(token ?? final, final)
    // A piece that arrived before the end of the turn cost no time.
    if let token, token < final { timings.firstToken = .zero }
    return true
  }
}

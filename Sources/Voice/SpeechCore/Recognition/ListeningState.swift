/// The states of listening as a value: inputs in, actions out.
struct ListeningState: Sendable, Equatable {
  enum Phase: Sendable, Equatable {
    case idle
    /// Models are loaded and the device is opened.
    case starting
    /// Stopped while starting.
    case abandoning
    case listening
    /// Stopped; the last utterance is still recognised.
    case finishing
  }

  enum Input: Sendable, Equatable {
    case start
    case opened
    case stop
    case ended
  }

  enum Action: Sendable, Equatable {
    case closeCapture
    case abandonStart
  }

  private(set) var phase = Phase.idle

  /// Handles the input and returns the action that follows. An input that does not apply to the
  /// phase changes nothing.
  mutating func handle(_ input: Input) -> Action? {
    switch (phase, input) {
    case (.idle, .start):
      phase = .starting
      return nil
    case (.starting, .opened):
      phase = .listening
      return nil
    case (.starting, .stop):
      phase = .abandoning
      return .abandonStart
    case (.abandoning, .opened):
      phase = .idle
      return .closeCapture
    case (.listening, .stop):
      phase = .finishing
      return .closeCapture
    case (_, .ended):
      phase = .idle
      return nil
    case (_, .start), (_, .opened), (_, .stop):
      return nil
    }
  }
}

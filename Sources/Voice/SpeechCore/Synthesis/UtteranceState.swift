/// The states of a spoken utterance as a value: inputs in, actions out.
struct UtteranceState: Sendable, Equatable {
  enum Phase: Sendable, Equatable {
    case idle
    case speaking
    case paused
    /// Stopped; the audio is off and the synthesis is ending.
    case stopping
  }

  enum Input: Sendable, Equatable {
    case begin
    case pause
    case resume
    case stop
    case end(SpeechSynthesisProviderError?)
  }

  enum Action: Sendable, Equatable {
    case hold
    case release
    case silence
    case send(SpeechSynthesisEvent)
  }

  private(set) var phase = Phase.idle

  /// Handles the input and returns the actions that follow. An input that does not apply to the
  /// phase changes nothing.
  mutating func handle(_ input: Input) -> [Action] {
    switch (phase, input) {
    case (.idle, .begin):
      phase = .speaking
      return []
    case (.speaking, .pause):
      phase = .paused
      return [.hold, .send(.paused)]
    case (.paused, .resume):
      phase = .speaking
      return [.release, .send(.resumed)]
    case (.speaking, .stop), (.paused, .stop):
      phase = .stopping
      return [.silence]
    case (.speaking, .end(let error)), (.paused, .end(let error)):
      phase = .idle
      return [.send(error.map { .failed($0) } ?? .completed)]
    case (.stopping, .end):
      phase = .idle
      return [.send(.failed(.cancelled))]
    case (_, .begin), (_, .pause), (_, .resume), (_, .stop), (.idle, .end):
      return []
    }
  }
}

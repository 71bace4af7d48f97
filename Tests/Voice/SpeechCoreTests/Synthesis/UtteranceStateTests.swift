import Testing

@testable import SpeechCore

struct UtteranceStateTests {
  typealias Step = (input: UtteranceState.Input, actions: [UtteranceState.Action])

  private func expect(_ steps: [Step], endsIn phase: UtteranceState.Phase) {
    var state = UtteranceState()
    for step in steps { #expect(state.handle(step.input) == step.actions) }
    #expect(state.phase == phase)
  }

  @Test func `uninterrupted speech completes`() {
    expect([(.begin, []), (.end(nil), [.send(.completed)])], endsIn: .idle)
  }

  @Test func `pausing and resuming act on the audio once`() {
    expect(
      [
        (.begin, []), (.pause, [.hold, .send(.paused)]), (.pause, []),
        (.resume, [.release, .send(.resumed)]), (.resume, []), (.end(nil), [.send(.completed)]),
      ], endsIn: .idle)
  }

  @Test func `stopping ends the audio once and is reported as cancelled`() {
    for end in [nil, SpeechSynthesisProviderError.unknown("x")] {
      expect(
        [
          (.begin, []), (.stop, [.silence]), (.stop, []), (.end(end), [.send(.failed(.cancelled))]),
        ],
        endsIn: .idle)
    }
  }

  @Test func `paused speech can be stopped`() {
    expect(
      [(.begin, []), (.pause, [.hold, .send(.paused)]), (.stop, [.silence]), (.resume, [])],
      endsIn: .stopping)
  }

  @Test func `an error ends speech`() {
    expect(
      [(.begin, []), (.end(.networkUnavailable), [.send(.failed(.networkUnavailable))])],
      endsIn: .idle)
  }

  @Test func `inputs at rest have no effect`() {
    expect([(.pause, []), (.resume, []), (.stop, []), (.end(nil), [])], endsIn: .idle)
  }
}

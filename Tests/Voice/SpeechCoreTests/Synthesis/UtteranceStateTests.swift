import Testing

@testable import SpeechCore

struct UtteranceStateTests {
  typealias Step = (input: UtteranceState.Input, actions: [UtteranceState.Action])

  private func expect(_ steps: [Step], endsIn phase: UtteranceState.Phase) {
    var state = UtteranceState()
    for step in steps { #expect(state.handle(step.input) == step.actions) }
    #expect(state.phase == phase)
  }

  @Test func `speech that runs through completes`() {
    expect([(.begin, []), (.end(nil), [.send(.completed)])], endsIn: .idle)
  }

  @Test func `pausing and resuming hold and release the sound once`() {
    expect(
      [
        (.begin, []), (.pause, [.hold, .send(.paused)]), (.pause, []),
        (.resume, [.release, .send(.resumed)]), (.resume, []), (.end(nil), [.send(.completed)]),
      ], endsIn: .idle)
  }

  @Test func `stopping silences once and ends as cancelled, whatever the end says`() {
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

  @Test func `at rest nothing has an effect`() {
    expect([(.pause, []), (.resume, []), (.stop, []), (.end(nil), [])], endsIn: .idle)
  }
}

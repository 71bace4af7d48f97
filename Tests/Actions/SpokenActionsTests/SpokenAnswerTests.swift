import AIServices
import SpokenActions
import Testing

@testable import SpeechActions

/// The words of a run that are spoken, and their timing.
struct SpokenAnswerTests {
  private static let connectors = ["a", "b", "c"].map { Connector(id: $0, kind: .onDevice) }

  private func answer(_ connector: String, _ text: String) -> ConnectorAnswer {
    ConnectorAnswer(
      connector: connector, raw: text, text: text, latency: .zero, usage: ServiceUsage(),
      isCached: false, isCutOff: false)
  }

  private func completed(_ answers: (String, String)...) -> RunEvent {
    .completed(
      RunOutcome(
        answers: answers.map { answer($0.0, $0.1) }, failures: [:],
        error: answers.isEmpty ? .cancelled : nil, latency: .zero))
  }

  private func failed(_ connector: String) -> RunEvent {
    .failed(connector: connector, RunFailure(error: .cancelled, latency: .zero))
  }

  private func steps(
    _ mode: RoutingRule.Mode, order: [String] = [], output: OutputExpectation = .text,
    _ events: RunEvent...
  ) -> [SpokenAnswer.Step] {
    var action = TextAction(id: "x", name: "X", prompt: "{{text}}", output: output)
    action.routing = RoutingRule(mode, connectors: order)
    var spoken = SpokenAnswer(action, connectors: Self.connectors)
    return events.flatMap { spoken.take($0) }
  }

  @Test func `sequential and hedged: the first connector to begin is spoken`() {
    for mode in [RoutingRule.Mode.sequential, .hedged(after: .fixed(.seconds(1)))] {
      #expect(
        steps(
          mode, .started(connector: "a"), .started(connector: "b"), .text(connector: "b", "**"),
          .text(connector: "b", "One** "), .text(connector: "a", "never"),
          .text(connector: "b", "two."), completed(("b", "One two."))) == [
            .say("One "), .say("two."),
          ])
    }
  }

  @Test func `parallel: the first connector of the rule is spoken, even if another is faster`() {
    #expect(
      steps(
        .parallel, order: ["c", "a"], .text(connector: "a", "A."), .text(connector: "c", "C "),
        .finished(connector: "a", answer("a", "A.")), .text(connector: "c", "more."),
        completed(("c", "C more."), ("a", "A."))) == [.say("C "), .say("more.")])
  }

  @Test func `parallel: the next connector follows a failed one, from its beginning`() {
    #expect(
      steps(
        .parallel, .text(connector: "b", "B "), failed("a"), .text(connector: "b", "more."),
        completed(("b", "B more."))) == [.say("B "), .say("more.")])
    #expect(
      steps(
        .parallel, .text(connector: "a", "A "), .text(connector: "b", "B."), failed("a"),
        completed(("b", "B."))) == [.say("A "), .takeBack(.cancelled), .say("B.")])
  }

  @Test func `a failure discards the words, and the next connector starts again`() {
    #expect(
      steps(
        .sequential, .started(connector: "a"), .text(connector: "a", "# A"), failed("a"),
        .started(connector: "b"), .text(connector: "b", "# B."), completed(("b", "# B."))) == [
          .say(" A"), .takeBack(.cancelled), .say(" B."),
        ])
  }

  @Test func `first successes and data are spoken when complete`() {
    #expect(
      steps(
        .firstSuccess, .text(connector: "a", "A."), .text(connector: "b", "B."),
        completed(("b", "**B.**"))) == [.say("B.")])
    #expect(
      steps(.sequential, output: .corrections, .text(connector: "a", "{"), completed(("a", "A.")))
        == [.say("A.")])
  }

  @Test func `a cancelled answer is replaced by the one that counts`() {
    #expect(
      steps(
        .parallel, .text(connector: "a", "A "),
        .cancelled(connector: "a", .deadline), completed(("b", "B."))) == [
          .say("A "), .takeBack(.cancelled), .say("B."),
        ])
    #expect(steps(.sequential, .text(connector: "a", "A "), completed()) == [.say("A ")])
  }
}

import SpeechKit
import Testing

@testable import SpeechCommand
@testable import speechkit

@MainActor struct LoopScreenTests {
  private func event(_ kind: VoiceLoopEvent.Kind) -> VoiceLoopEvent {
    VoiceLoopEvent(time: .zero, turn: 1, kind: kind)
  }

  @Test func `the screen shows whose turn it is, the words and the latencies`() {
    let screen = LoopScreen()
    screen.take(event(.listening))
    #expect(screen.lines(level: -90) == [StatusLine("listening ░░░░░░░░░░░░░░░░░░░░")])
    screen.take(event(.userPartial("turn on")))
    #expect(screen.lines(level: -40)[0].text == "listening ██████████░░░░░░░░░░")
    #expect(screen.lines(level: -40)[1].text == "you: turn on")
    screen.take(event(.thinking))
    screen.take(event(.replyText("Schön, 🇩🇪 ist an.")))
    screen.take(event(.speaking("Schön, 🇩🇪 ist an.")))
    // A flag has two scalars and one character.
    screen.take(event(.word(10..<13)))
    let line = screen.lines(level: 0)[1]
    #expect(line == StatusLine("reply: Schön, 🇩🇪 ist an.", lit: 16..<19))
    #expect(line.drawn(width: 80).contains("\u{1B}[7mist\u{1B}[27m"))
    var timings = TurnTimings(turn: 1)
    timings.endOfTurn = .milliseconds(350)
    screen.take(event(.timings(timings)))
    screen.take(event(.replyFinished("")))
    #expect(screen.lines(level: 0).last?.text == "end of turn 350 ms")
  }
}

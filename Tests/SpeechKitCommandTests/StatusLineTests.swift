import Foundation
import SpeechKit
import SpeechTesting
import Testing

@testable import speechkit

struct StatusLineTests {
  @Test func `a line that is too long shows its end, or what is lit`() {
    #expect(StatusLine("one two three").drawn(width: 20) == "one two three")
    #expect(StatusLine("one two three").drawn(width: 5) == "three")
    #expect(
      StatusLine("one two three", lit: 4..<7).drawn(width: 20)
        == "one \u{1B}[7mtwo\u{1B}[27m three")
    #expect(
      StatusLine("one two three", lit: 4..<7).drawn(width: 6) == "e \u{1B}[7mtwo\u{1B}[27m ")
    #expect(
      StatusLine("one two three", lit: 8..<99).drawn(width: 4) == "\u{1B}[7mthre\u{1B}[27m")
    #expect(StatusLine("one", lit: 7..<9).drawn(width: 4) == "one")
  }

  @Test func `nothing in a line steers the terminal`() {
    #expect(StatusLine("a\u{1B}[2Jb\nc").drawn(width: 20) == "a\u{FFFD}[2Jb\u{FFFD}c")
  }
}

@MainActor struct LoopScreenTests {
  private func event(_ kind: VoiceLoopEvent.Kind) -> VoiceLoopEvent {
    VoiceLoopEvent(time: .zero, turn: 1, kind: kind)
  }

  @Test func `the screen shows who has the floor, the words and the latencies`() {
    let screen = LoopScreen()
    screen.take(event(.listening))
    #expect(screen.lines(level: -90) == [StatusLine("listening ░░░░░░░░░░░░░░░░░░░░")])
    screen.take(event(.userPartial("turn on")))
    #expect(screen.lines(level: -40)[0].text == "listening ██████████░░░░░░░░░░")
    #expect(screen.lines(level: -40)[1].text == "you: turn on")
    screen.take(event(.thinking))
    screen.take(event(.replyText("Schön, 🇩🇪 ist an.")))
    screen.take(event(.speaking("Schön, 🇩🇪 ist an.")))
    // In scalars a flag is two, in characters one.
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

@MainActor struct KeyPressesTests {
  @Test func `the space key begins a turn and ends it, and the terminal is given back`()
    async throws
  {
    let terminal = try PseudoTerminal()
    var rules = TurnRules()
    rules.attention = .pushToTalk
    let loop = VoiceLoop(
      recognition: SpeechRecognitionEngine(provider: ScriptedRecogniser()),
      responder: EchoResponder(),
      synthesis: SpeechSynthesisEngine(
        provider: FliteSynthesisProvider(
          engine: FliteEngine(), configuration: .default, output: MemorySpeaker())),
      configuration: VoiceLoopConfiguration(rules: rules))
    var events = loop.events.makeAsyncIterator()
    try await loop.start()
    #expect(await events.next()?.kind == .asleep)

    let keys = try KeyPresses(terminal.other.fileDescriptor)
    #expect(!terminal.isEchoing)
    let steering = Task { await keys.steer(loop) }
    terminal.type("x ")
    #expect(await events.next()?.kind == .listening)
    terminal.type(" ")
    #expect(await events.next()?.kind == .asleep)
    keys.end()
    await steering.value
    #expect(terminal.isEchoing)
    await loop.stop()
  }

  @Test func `what is no terminal has no key`() throws {
    let pipe = Pipe()
    #expect(throws: CommandFailure.self) {
      try KeyPresses(pipe.fileHandleForReading.fileDescriptor)
    }
  }
}

import Foundation
import SpeechKit
import SpeechTesting
import Testing

@testable import SpeechCommand
@testable import speechkit

@MainActor struct KeyPressesTests {
  @Test func `the space key begins and ends a turn, and the terminal is restored`()
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

  @Test func `push-to-talk needs a terminal`() throws {
    let pipe = Pipe()
    #expect(throws: CommandFailure.self) {
      try KeyPresses(pipe.fileHandleForReading.fileDescriptor)
    }
  }
}

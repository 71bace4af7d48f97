import AIServices
import SpeechCloud
import SpeechKit
import Testing

/// The code that the article about conversations prints.
@MainActor struct VoiceLoopArticleTests {
  @Test func `a loop is made of three parts`() {
    let devices = EchoCancellingDevices(
      microphone: PortAudioMicrophone(), speaker: PortAudioSpeaker())
    let loop = VoiceLoop(
      recognition: SpeechRecognitionEngine(
        provider: PocketSphinxRecognitionProvider(
          configuration: PocketSphinxConfiguration(), input: devices.microphone)),
      responder: ChatResponder(OnDeviceTextProvider()),
      synthesis: SpeechSynthesisEngine(
        provider: EspeakSynthesisProvider(
          engine: EspeakEngine(), configuration: .default, output: devices.speaker)),
      configuration: VoiceLoopConfiguration(greeting: "Hello.", endRule: .english()))
    #expect(!loop.isRunning)
  }

  @Test func `a grammar gets what else is said in a conversation`() throws {
    let home = CommandGrammar("home") { Intent("light") { "lights on" } }
    var rules = TurnRules()
    rules.attention = .wakeWord(["computer"], window: .seconds(8))
    let understood = home.inConversation(rules)
    #expect(try CommandMatcher(understood).match("computer lights on")?.intent == "light")
  }

  @Test func `the timings of a conversation are written down`() throws {
    var timings = TurnTimings(turn: 1)
    timings.endOfTurn = .milliseconds(350)
    let events = [VoiceLoopEvent(time: .zero, turn: 1, kind: .timings(timings))]
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).prom")
    defer { try? FileManager.default.removeItem(at: file) }
    let table = TurnTimingsTable(events: events)
    print(table.median(.total) ?? .zero, table.percentile(95, .total) ?? .zero)
    try table.prometheusText.write(to: file, atomically: true, encoding: .utf8)
    #expect(try String(contentsOf: file, encoding: .utf8).contains("quantile=\"0.95\"} 0.35"))
  }
}

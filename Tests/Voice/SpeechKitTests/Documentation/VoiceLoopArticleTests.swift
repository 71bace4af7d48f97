import AIServices
import SpeechCloud
import SpeechKit
import Testing

/// The code that the article about conversations prints.
@MainActor struct VoiceLoopArticleTests {
  @Test func `a loop is assembled from its settings`() async throws {
    var settings = ConversationSettings()
    settings.greeting = "Hello."
    let assembly = try await VoiceLoopAssembly(settings)
    let loop = assembly.makeLoop(responder: ChatResponder(OnDeviceTextProvider()))
    #expect(!loop.isRunning)
    #expect(loop.configuration.greeting == "Hello.")
    #expect(assembly.recogniser.name.description == "pocketsphinx:balanced")
  }

  @Test func `a grammar is extended by the phrases of a conversation`() throws {
    let home = CommandGrammar("home") { Intent("light") { "lights on" } }
    var rules = TurnRules()
    rules.attention = .wakeWord(["computer"], window: .seconds(8))
    let understood = home.inConversation(rules)
    #expect(try CommandMatcher(understood).match("computer lights on")?.intent == "light")
  }

  @Test func `the timings of a conversation are exported for Prometheus`() throws {
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

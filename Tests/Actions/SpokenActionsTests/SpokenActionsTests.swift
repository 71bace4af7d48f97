import AIServiceTesting
import Foundation
import SpeechActions
import SpeechCloud
import SpeechConcurrency
import SpeechDesktop
import SpeechKit
import SpeechTesting
import SpokenActions
import Testing

/// Actions in a voice loop in a virtual world, with real connections to a server on this machine.
@Suite(.serialized) struct SpokenActionsTests {
  private static let path = "/v1/chat/completions"

  private static func chunk(_ text: String) -> ScriptedReply.Step {
    .send(
      """
      data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[\
      {"index":0,"delta":{"content":"\(text)"},"finish_reason":null}]}\n\n
      """)
  }

  private static let end = ScriptedReply.Step.send(
    """
    data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[\
    {"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n
    """)

  private static func answer(_ pieces: String...) -> ScriptedReply {
    .events(pieces.map(chunk) + [end])
  }

  private static func connector(_ server: LoopbackServer, _ id: String = "here") -> Connector {
    Connector(id: id, baseURL: server.url("/v1").absoluteString)
  }

  /// Returns what the user hears in reply to some words.
  private func heard(
    to words: String..., from responder: any Responder
  ) async throws -> [VoiceLoopEvent.Kind] {
    try await VirtualWorld.run { world in
      let ears = ScriptedRecogniser()
      let loop = VoiceLoop(
        recognition: SpeechRecognitionEngine(provider: ears), responder: responder,
        synthesis: SpeechSynthesisEngine(
          provider: FliteSynthesisProvider(
            engine: FliteEngine(), configuration: .default,
            output: MemorySpeaker(clock: world.clock))), clock: world.clock)
      let events = loop.events
      var kinds: [VoiceLoopEvent.Kind] = []
      var rest = words[...]
      try await loop.start()
      for await event in events {
        kinds.append(event.kind)
        switch event.kind {
        case .listening, .replyFailed:
          guard let text = rest.popFirst() else {
            await loop.stop()
            return kinds
          }
          ears.begin()
          ears.finish(text)
        default: break
        }
      }
      return kinds
    }
  }

  private func spoken(_ kinds: [VoiceLoopEvent.Kind]) -> [String] {
    kinds.compactMap { if case .replyFinished(let text) = $0 { text } else { nil } }
  }

  @Test func `an interpreter listens in one language and answers in another`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.enqueue(Self.answer("**Buenos** ", "días. ", "¿Cómo está?"), for: Self.path)
    let kinds = try await heard(
      to: "good morning how are you",
      from: ActionResponder(
        .translate, connectors: [Self.connector(server)], from: LanguageName("en"),
        to: LanguageName("Spanish")))
    #expect(spoken(kinds) == ["Buenos días. ¿Cómo está?"])
    // Spoken sentence by sentence.
    #expect(kinds.contains(.speaking("Buenos días. ")), "\(kinds)")
    let asked = try #require(server.requests.last).text
    #expect(asked.contains("from English into Spanish"))
    #expect(asked.contains("good morning how are you"))
  }

  @Test func `the next connector answers if the first fails before speaking`() async throws {
    let (broken, server) = (try LoopbackServer(), try LoopbackServer())
    defer {
      broken.stop()
      server.stop()
    }
    broken.reply { _ in .json("{}", status: 401) }
    server.reply(to: Self.path) { _ in Self.answer("Hello.") }
    let connectors = [Self.connector(broken, "broken"), Self.connector(server)]
    let kinds = try await heard(
      to: "hallo", from: ActionResponder(.translate, connectors: connectors))
    #expect(spoken(kinds) == ["Hello."])
  }

  @Test func `a failure in the middle of the answer fails the reply`() async throws {
    let (broken, server) = (try LoopbackServer(), try LoopbackServer())
    defer {
      broken.stop()
      server.stop()
    }
    broken.reply(to: Self.path) { _ in
      .events([Self.chunk("This is the first sentence. And "), .reset])
    }
    server.reply(to: Self.path) { _ in Self.answer("Another.") }
    let connectors = [Self.connector(broken, "broken"), Self.connector(server)]
    var action = TextAction.translate
    action.routing.retries = 0
    let kinds = try await heard(to: "hallo", from: ActionResponder(action, connectors: connectors))
    #expect(kinds.contains { if case .replyFailed = $0 { true } else { false } })
    #expect(!kinds.contains(.speaking("Another.")))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a ledger that another process has locked delays the answer`() async throws {
    let folder = URL.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let other = Process()
    other.executableURL = URL(filePath: "/usr/bin/flock")
    other.arguments = [
      folder.appending(path: "spending.lock").path, "sh", "-c", "echo locked; sleep 0.5",
    ]
    let output = Pipe()
    other.standardOutput = output
    try other.run()
    #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply(to: Self.path) { _ in Self.answer("Hello.") }
    var connector = Self.connector(server)
    connector.price = .init(input: 1, output: 1)
    var action = TextAction.translate
    action.routing.spendingCap = SpendingCap(1, per: .day)
    let ledger = SpendingLedger(file: folder.appending(path: "spending.json"))
    let kinds = try await heard(
      to: "hallo",
      from: ActionResponder(
        action, connectors: [connector], runner: ActionRunner(spending: ledger)))
    #expect(spoken(kinds) == ["Hello."])
    #expect(try await ledger.spent(by: action.id, per: .day) > 0)
  }

  @Test func `data is spoken as plain text`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.enqueue(
      Self.answer(#"{\"corrected\":\"I am here.\",\"items\":[]}"#), for: Self.path)
    let kinds = try await heard(
      to: "i is here", from: ActionResponder(.correct, connectors: [Self.connector(server)]))
    #expect(spoken(kinds) == ["I am here."])
  }

  @Test func `a connector holds a conversation with its history`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.enqueue(Self.answer("I am fine."), Self.answer("You asked how I am."), for: Self.path)
    let kinds = try await heard(
      to: "how are you", "what did I ask",
      from: ConnectorResponder(Self.connector(server), systemPrompt: "Braces {{stay}}."))
    #expect(spoken(kinds) == ["I am fine.", "You asked how I am."])
    let body = try JSONDecoder().decode(
      [String: SendableValue].self, from: try #require(server.requests.last).body)
    #expect(
      body["messages"] == [
        ["role": "system", "content": "Braces {{stay}}."],
        ["role": "user", "content": "how are you"],
        ["role": "assistant", "content": "I am fine."],
        ["role": "user", "content": "what did I ask"],
      ])
    #expect(body["tools"] == nil)
  }

  @Test func `a connector's model calls functions of the program`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.enqueue(
      .events([
        .send(
          """
          data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t1","type":"function",\
          "function":{"name":"light","arguments":"{\\"on\\":true}"}}]},"finish_reason":"tool_calls"}]}\n\n
          """), .send("data: [DONE]\n\n"),
      ]), Self.answer("It is on."), for: Self.path)
    let asked = Guarded<[String]>([])
    let tool = ChatResponder.Tool(ChatTool(name: "light", description: "Switches the light.")) {
      arguments in
      asked.withLock { $0.append(arguments) }
      return "done"
    }
    let connector = Self.connector(server)
    let kinds = try await heard(
      to: "light on", from: ConnectorResponder(connector, systemPrompt: "", tools: [tool]))
    #expect(spoken(kinds) == ["It is on."])
    #expect(asked.withLock { $0 } == [#"{"on":true}"#])
    #expect(server.requests.count == 2)
    // A service without tools receives none.
    #expect(!Connector(id: "x", kind: .llmSocket).takesTools)
  }

  @Test func `of parallel answers, that of the first connector is spoken while it arrives`()
    async throws
  {
    let (slow, quick) = (try LoopbackServer(), try LoopbackServer())
    defer {
      slow.stop()
      quick.stop()
    }
    slow.reply(to: Self.path) { _ in Self.answer("I come first. ", "Always.") }
    quick.reply(to: Self.path) { _ in Self.answer("Never heard.") }
    var action = TextAction.translate
    action.routing.mode = .parallel
    action.routing.connectors = ["slow", "quick"]
    let kinds = try await heard(
      to: "hallo",
      from: ActionResponder(
        action, connectors: [Self.connector(quick, "quick"), Self.connector(slow, "slow")]))
    #expect(spoken(kinds) == ["I come first. Always."])
    #expect(kinds.contains(.speaking("I come first. ")))
  }

  @Test func `a voice command translates the selection`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply(to: Self.path) { _ in Self.answer("Hasta luego.") }
    let put = Guarded<[String]>([])
    let responder = ActionCommandResponder(
      try ActionCommands(.builtIn), connectors: [Self.connector(server)],
      text: { "See you later." }, copy: { text in put.withLock { $0.append("copy \(text)") } },
      replace: { text in put.withLock { $0.append("replace \(text)") } })
    let kinds = try await heard(
      to: "translate that to spanish", "translate this into german and replace it",
      "what is the time", from: responder)
    #expect(spoken(kinds) == ["Hasta luego.", "Hasta luego.", "I did not understand that."])
    #expect(put.withLock { $0 } == ["replace Hasta luego."])
    #expect(server.requests.map { $0.text.contains("into Spanish") } == [true, false])
    #expect(server.requests.allSatisfy { $0.text.contains("See you later.") })
  }

  @Test func `without a selection the user hears the reason`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let responder = ActionCommandResponder(
      try ActionCommands(.builtIn), connectors: [Self.connector(server)],
      text: { throw DesktopError.nothingSelected }, copy: { _ in }, replace: { _ in })
    let kinds = try await heard(to: "summarise that", from: responder)
    #expect(
      kinds.contains {
        if case .replyFailed(let reason) = $0 {
          reason.contains("No text is selected")
        } else {
          false
        }
      })
    #expect(server.requests.isEmpty)
  }
}

struct ActionCommandsTests {
  @Test(
    arguments: [
      ("translate that to spanish", "translate", "Spanish", ActionCommands.Delivery.speak),
      ("translate the selection into french and copy it", "translate", "French", .copy),
      ("summarise it in german", "summarise", "German", .speak),
      ("correct this and replace it", "correct", nil, .replace),
      ("review code", "review-code", nil, .speak),
      ("analyse tone of that", "tone", nil, .speak),
    ] as [(String, String, String?, ActionCommands.Delivery)])
  func `a command names an action, a language and a delivery`(
    text: String, action: String, language: String?, delivery: ActionCommands.Delivery
  ) throws {
    let command = try #require(try ActionCommands(.builtIn).command(in: text))
    #expect(command.action.id == action)
    #expect(command.language?.name == language)
    #expect(command.delivery == delivery)
  }

  @Test(arguments: ["translate", "correct that to spanish", "translate that to klingon", "hello"])
  func `other sentences are not commands`(text: String) throws {
    #expect(try ActionCommands(.builtIn).command(in: text) == nil)
  }

  @Test func `active actions are called by their names`() throws {
    var library = ActionLibrary.builtIn
    try library.add(
      TextAction(
        id: "x", name: "Make it rhyme (2)!", prompt: "{{text}}",
        postProcessing: [.cleanUp, .replaceOriginal]))
    try library.archive("tone")
    let commands = try ActionCommands(library)
    #expect(commands.command(in: "make it rhyme")?.delivery == .replace)
    #expect(commands.command(in: "analyse tone") == nil)
    #expect(throws: CommandGrammarError.self) { try ActionCommands(ActionLibrary()) }
  }

  @Test func `a recogniser accepts the grammar`() throws {
    let text = try ActionCommands(.builtIn).grammar.jsgfText()
    #expect(try CommandMatcher(CommandGrammar(try JSGFGrammar(text))).match("translate it") != nil)
  }
}

struct LanguageNameTests {
  @Test(
    arguments: [
      ("es", "Spanish", "es"), ("SPANISH", "Spanish", "es"), ("Deutsch", "German", "de"),
      ("pt-BR", "Portuguese (Brazil)", "pt-BR"), ("plain words", "plain words", nil),
      ("xx", "xx", nil),
    ] as [(String, String, String?)])
  func `languages are found by code, English name and own name`(
    text: String, name: String, code: String?
  ) {
    #expect(LanguageName(text).name == name)
    #expect(LanguageName(text).code == code)
  }
}

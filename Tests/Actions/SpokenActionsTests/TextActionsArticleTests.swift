import AIServices
import SpeechActions
import SpeechCloud
import SpeechDesktop
import SpeechKit
import SpokenActions
import Testing

/// The code in the article about text actions.
struct TextActionsArticleTests {
  @Test func `an action is run from Swift`() async throws {
    func show(_ text: String) {}
    let configuration = ActionConfiguration(connectors: [Connector(id: "here", kind: .onDevice)])
    let runner = ActionRunner()
    let action = try configuration.actions.action("translate")
    let run = runner.run(
      action, on: ActionInput("Guten Tag", targetLanguage: "English"),
      connectors: configuration.connectors)
    for await event in run.events {
      if case .text(_, let piece) = event { show(piece) }
    }
    let outcome = await run.outcome()
    print(outcome.answer?.text ?? "", outcome.cost ?? 0)
    #expect(outcome.answer?.text.isEmpty == false)
  }

  @Test func `the printed file is valid`() throws {
    let text = """
      version = 1
      default = "translate"

      [connector.here]
      kind = "openai"
      url = "http://127.0.0.1:11434/v1"
      model = "llama3.2"

      [action.translate]
      name = "Translate"
      prompt = "Translate into {{target_language|English}}: {{text}}"
      mode = "hedged"
      hedge-after = "800ms"
      deadline = "20s"
      """
    #expect(try ConfigurationText.configuration(in: text).connectors.map(\.id) == ["here"])
  }

  @Test func `a connector is a chat service`() async throws {
    let (gateway, runner) = (Connector(id: "here", kind: .onDevice), ActionRunner())
    let timer = ChatResponder.Tool(ChatTool(name: "timer", description: "Sets a timer.")) { _ in
      "done"
    }
    let chat = runner.chat(with: gateway)
    let responder = ConnectorResponder(gateway, runner: runner, tools: [timer])
    #expect(responder as any Responder is ConnectorResponder)
    #expect(try await chat.reply(to: ChatRequest("hello")).text.isEmpty == false)
  }

  @Test func `actions become an interpreter and commands`() throws {
    let gateway = Connector(id: "here", kind: .onDevice)
    let interpreter = ActionResponder(
      .translate, connectors: [gateway], from: LanguageName("en"), to: LanguageName("es"))
    #expect(interpreter as any Responder is ActionResponder)
    let configuration = ActionConfiguration()
    let commands = try ActionCommands(configuration.actions)
    let command = commands.command(in: "translate that to spanish and copy it")
    #expect(command?.language?.name == "Spanish")
  }

  /// Not run, because it would type into an arbitrary window.
  func replace() async throws {
    let desktop = DesktopText()
    let text = try await desktop.selection()
    try await desktop.put(text.uppercased())
  }
}

import AIServiceTesting
import AIServices
import BrowserSupport
import Foundation
import SpeechActions
import SpeechConcurrency
import SpeechConsole

/// A console with a real service on this machine and a configuration file of its own.
struct ConsoleScene {
  let service: LoopbackServer
  let store: FileConfigurationStore
  let credentials: AICredentialManager
  let console: Console
  /// The words that were spoken.
  let saying: Saying
  private let folder: URL

  init(
    connectors: [Connector] = [], limits: ConsoleLimits = ConsoleLimits(), canSpeak: Bool = true
  ) async throws {
    service = try LoopbackServer()
    service.reply(to: "/v1/models") { _ in .json(#"{"object":"list","data":[{"id":"small"}]}"#) }
    service.reply(to: "/v1/chat/completions") { _ in Self.answer("OK") }
    folder = FileManager.default.temporaryDirectory
      .appending(path: "speechkit-console-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = FileConfigurationStore(file: folder.appending(path: "actions.conf"))
    credentials = AICredentialManager()
    let saying = Saying()
    self.saying = saying
    let speak: @Sendable (AsyncStream<String>) async throws -> Void = { pieces in
      var text = ""
      for await piece in pieces {
        text += piece
        saying.note(piece)
      }
      guard text.hasPrefix("For ever") else { return }
      try? await Task.sleep(for: .seconds(3_600))
      saying.note("stopped")
    }
    if !connectors.isEmpty { try await store.update { $0.connectors = connectors } }
    console = try Console(
      ConsoleServices(
        configuration: store, credentials: credentials,
        runner: ActionRunner(credentials: credentials),
        test: ConnectorTest(credentials: credentials),
        speak: canSpeak ? speak : nil), limits: limits)
  }

  /// Runs a test with a scene, and closes the scene.
  static func with<Result>(
    connectors: (LoopbackServer) -> [Connector] = { _ in [] },
    limits: ConsoleLimits = ConsoleLimits(), canSpeak: Bool = true,
    _ work: (ConsoleScene) async throws -> Result
  ) async throws -> Result {
    let scene = try await ConsoleScene(limits: limits, canSpeak: canSpeak)
    defer { scene.end() }
    let made = connectors(scene.service)
    if !made.isEmpty { try await scene.store.update { $0.connectors = made } }
    return try await work(scene)
  }

  func end() {
    console.stop()
    service.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  var configuration: ActionConfiguration {
    get async throws { try await store.load().configuration }
  }

  /// Opens a page through the link.
  func page(in browser: Browser, width: Int = 1_000) async throws -> BrowserPage {
    let page = try await browser.newPage()
    try await page.resize(width: width, height: 800)
    try await page.open(console.url)
    try await page.wait(for: "document.querySelector('h1')?.textContent === 'Home'")
    return page
  }

  // MARK: Answers

  /// An answer as OpenAI streams it, with further steps in between.
  static func stream(_ steps: [ScriptedReply.Step]) -> ScriptedReply {
    .events(
      steps + [
        .send("data: \(end)\n\n"), .send("data: [DONE]\n\n"),
      ])
  }

  /// A complete answer.
  static func answer(_ text: String) -> ScriptedReply { stream([piece(text)]) }

  /// A piece of an answer.
  static func piece(_ text: String) -> ScriptedReply.Step {
    let content = (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) }
    return .send(
      #"data: {"id":"c","choices":[{"index":0,"delta":{"content":\#(content ?? "")}}]}"# + "\n\n")
  }

  private static let end =
    #"{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"#
    + #""usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}"#
}

/// A voice that records its words.
final class Saying: Sendable {
  private let state = Guarded<[String]>([])
  private let changes = ChangeSignal()

  var words: [String] { state.withLock { $0 } }

  func note(_ text: String) {
    state.withLock { $0.append(text) }
    changes.notify()
  }

  func wait(until condition: ([String]) -> Bool) async throws {
    try await changes.wait(until: { condition(words) })
  }
}

extension Connector {
  /// A connector to a service on this machine.
  static func local(
    _ id: String, _ service: LoopbackServer, path: String = "/v1"
  ) -> Connector {
    Connector(
      id: id, name: id.capitalized, vendor: "Here", baseURL: service.url(path).absoluteString,
      model: "small")
  }
}

extension BrowserPage {
  /// Replaces the text of the control at a CSS selector by typing.
  func fill(_ selector: String, _ text: String) async throws {
    try await click(selector)
    try await selectAll()
    try await type(text)
  }

  /// Opens a view and waits for its heading.
  func visit(_ hash: String, heading: String) async throws {
    try await run("location.hash = \(quoted(hash));")
    try await waitForHeading(heading)
  }

  func waitForHeading(_ heading: String) async throws {
    try await wait(for: "document.querySelector('h1')?.textContent === \(quoted(heading))")
  }

  /// Waits until the main part contains a text.
  func waitFor(_ text: String) async throws {
    try await wait(for: "document.getElementById('main').innerText.includes(\(quoted(text)))")
  }

  /// Presses the button with a name or label.
  func press(button name: String) async throws {
    try await run(
      """
      const found = [...document.querySelectorAll("button")].filter(
        (button) => button.checkVisibility() && [button.textContent, button.getAttribute("aria-label")].includes(\(quoted(name))));
      if (!found.length) throw new Error("There is no button " + \(quoted(name)));
      for (const marked of document.querySelectorAll("[data-pressed]")) marked.removeAttribute("data-pressed");
      found[0].setAttribute("data-pressed", "");
      """)
    try await click("[data-pressed]")
  }
}

/// A text as a JavaScript literal.
func quoted(_ text: String) -> String {
  (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
}

import AIServiceTesting
import BrowserSupport
import Foundation
import SpeechActions
import SpeechConsole
import Testing

/// The editor of the configuration file, in a real browser.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ConsoleFilePageTests {
  @Test func `the file is edited with errors by line`() async throws {
    try await ConsoleScene.with(connectors: { [.local("one", $0)] }) { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        try await page.visit("#/file", heading: "File")
        let shown: String = try await page.evaluate(
          "document.querySelector('[name=source]').value")
        let text = try await scene.store.load().text
        #expect(shown == text && text.contains("[connector.one]"))
        try await page.waitFor("None.")
        try await page.screenshot("console-file")

        // A comment and a misspelt setting. The error is shown while typing, and the file is not
        // saved.
        let slip = text + "\n# mine\n[connector.two]\nkindd = \"openai\"\n"
        let line = slip.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        try await page.put(slip)
        try await page.waitFor("Line \(line), column 1: connector.two.kindd")
        #expect(
          try await page.evaluate(
            "document.querySelector('[name=source]').getAttribute('aria-invalid') === 'true'",
            as: Bool.self))
        try await page.screenshot("console-file-fault")
        try await page.press(button: "Save")
        try await page.wait(for: "!document.querySelector('.alert').hidden")
        #expect(try await scene.store.text() == text)
        // The error leads to its position.
        try await page.run("document.querySelector('[name=source]').setSelectionRange(0, 0);")
        try await page.click(".log button")
        let selected: String = try await page.evaluate(
          "getSelection().toString() || (s => s.value.slice(s.selectionStart, "
            + "s.selectionEnd))(document.activeElement)"
        )
        #expect(selected == "kindd = \"openai\"")
        try await page.waitFor("Line \(line), column 1")

        let good = slip.replacing("kindd = \"openai\"", with: "url = \"http://127.0.0.1:9/v1\"")
        try await page.put(good)
        try await page.waitFor("None.")
        try await page.press(button: "Save")
        try await page.wait(
          for: "document.getElementById('announcer').textContent === 'The file was saved.'")
        #expect(try await scene.store.text() == good)
        #expect(try await scene.configuration.connectors.map(\.id) == ["one", "two"])

        // Another program saves first.
        try await page.put(good + "# late\n")
        try await scene.store.update { $0.connectors[1].model = "theirs" }
        try await page.press(button: "Save")
        try await page.waitFor("changed after it was read")
        #expect(try await scene.configuration.connectors[1].model == "theirs")
        try await page.press(button: "Reload")
        try await page.wait(
          for: "document.querySelector('[name=source]')?.value.includes('theirs')")
        // The browser only reports the refused request.
        #expect(page.complaints.allSatisfy { $0.contains("/api/file/save") }, "\(page.complaints)")
      }
    }
  }

  @Test func `an invalid file is repaired on the page, and blocks other views`()
    async throws
  {
    try await ConsoleScene.with { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        try Data("version = 1\n[connector.a]\nkind = 7\n".utf8).write(to: scene.store.file)
        try await page.visit("#/actions", heading: "Something went wrong")
        try await page.waitFor("Line 3, column")
        try await page.click("a.button[href='#/file']")
        try await page.waitForHeading("File")
        try await page.waitFor("Line 3, column")
        try await page.fill("[name=source]", "version = 1\n[connector.a]\nkind = \"on-device\"\n")
        try await page.waitFor("None.")
        try await page.press(button: "Save")
        try await page.wait(
          for: "document.getElementById('announcer').textContent === 'The file was saved.'")
        #expect(try await scene.configuration.connectors.map(\.kind) == [.onDevice])
        try await page.visit("#/connectors", heading: "Connectors")
      }
    }
  }

  @Test func `the file is exported with the names of keys and without keys`() async throws {
    try await ConsoleScene.with(connectors: { service in
      var connector = Connector.local("one", service)
      connector.credential = "my-key"
      return [connector]
    }) { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        try await page.visit("#/file", heading: "File")
        #expect(
          try await page.evaluate("document.querySelector('a[download]').textContent") == "Export")
        let told: [String] = try await page.evaluate(
          """
          (async () => {
            const link = document.querySelector("a[download]");
            const response = await fetch(link.href);
            return [link.download, response.headers.get("Content-Disposition"), await response.text()];
          })()
          """)
        #expect(told[0] == "speechkit-actions.toml")
        #expect(told[1] == "attachment; filename=\"speechkit-actions.toml\"")
        #expect(try ConfigurationText.configuration(in: told[2]) == (await scene.configuration))
        #expect(told[2].contains("my-key"))
      }
    }
  }

  @Test func `the file is edited by keyboard in a narrow window`() async throws {
    try await ConsoleScene.with { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser, width: 320)
        try await page.visit("#/file", heading: "File")
        #expect(
          try await page.evaluate(
            "document.documentElement.scrollWidth <= innerWidth", as: Bool.self))
        try await page.screenshot("console-file-narrow")
        let text: String = try await page.evaluate("document.querySelector('[name=source]').value")
        // The default configuration is shown if there is no file.
        #expect(text.contains("[action.translate]"))
        try await page.tab(to: "[name=source]")
        try await page.selectAll()
        try await page.type("version = 1")
        try await page.tab(to: "form button[type=submit]")
        try await page.press(.space)
        try await page.wait(
          for: "document.getElementById('announcer').textContent === 'The file was saved.'")
        #expect(try await scene.store.text() == "version = 1")
      }
    }
  }

  @Test func `an answer is spoken while it arrives`() async throws {
    try await ConsoleScene.with(connectors: { [.local("one", $0)] }) { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        let gate = scene.replyInTwoPieces()
        try await page.visit("#/run", heading: "Run")
        try await page.fill("[name=text]", "eins")
        try await page.press(button: "Run")
        try await page.wait(for: "document.querySelector('.answer')?.textContent === 'First. '")
        try await page.press(button: "Speak the answer of One")
        try await scene.saying.wait { $0 == ["First. "] }
        gate.open()
        try await scene.saying.wait { $0 == ["First. ", "Second."] }
        try await page.wait(
          for: "[...document.querySelectorAll('button')].some(b => b.textContent === 'Speak')")
        // Spoken again, after it is complete.
        try await page.press(button: "Speak the answer of One")
        try await scene.saying.wait { $0.last == "First. Second." }
      }
    }
  }

  @Test func `an answer that has just ended is spoken completely`() async throws {
    try await ConsoleScene.with(connectors: { [.local("one", $0)] }) { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        let gate = scene.replyInTwoPieces()
        // The page receives the end when the test says so, which is after the console has sent it.
        try await page.run(
          """
          const now = window.fetch;
          window.fetch = async (path, options) => {
            const answer = await now(path, options);
            if (path !== "/api/run") return answer;
            const late = new Promise((go) => { window.goOn = go; });
            const [shown, watched] = answer.body.tee();
            const reader = watched.getReader();
            window.over = (async () => { while (!(await reader.read()).done); })();
            return new Response(shown.pipeThrough(new TransformStream({
              async transform(piece, output) {
                if (new TextDecoder().decode(piece).includes("Second.")) await late;
                output.enqueue(piece);
              },
            })));
          };
          """)
        try await page.visit("#/run", heading: "Run")
        try await page.fill("[name=text]", "eins")
        try await page.press(button: "Run")
        try await page.wait(for: "document.querySelector('.answer')?.textContent === 'First. '")
        gate.open()
        try await page.run("await window.over;")
        try await page.press(button: "Speak the answer of One")
        try await page.run(
          """
          while (!performance.getEntriesByType("resource").some((entry) => entry.name.endsWith("/api/speak")))
            await new Promise((go) => setTimeout(go));
          goOn();
          """)
        try await scene.saying.wait { !$0.isEmpty }
        #expect(scene.saying.words == ["First. Second."])
      }
    }
  }
}

extension ConsoleScene {
  /// Makes the service answer “First. ” and, when the gate is opened, “Second.”.
  fileprivate func replyInTwoPieces() -> ReplyGate {
    let gate = ReplyGate()
    service.reply(to: "/v1/chat/completions") { _ in
      Self.stream([Self.piece("First. "), .wait(gate), Self.piece("Second.")])
    }
    return gate
  }
}

extension BrowserPage {
  /// Replaces the text of the file at once, as pasting does.
  fileprivate func put(_ text: String) async throws {
    try await click("[name=source]")
    try await selectAll()
    try await run("document.execCommand('insertText', false, \(quoted(text)));")
  }
}

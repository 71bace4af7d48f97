import AIServiceTesting
import BrowserSupport
import Foundation
import SpeechActions
import SpeechConsole
import Testing

/// The page in a real browser, with a real service on this machine.
@Suite(.serialized)
struct ConsolePageTests {
  @Test func `setup leads to a streamed answer`() async throws {
    try await ConsoleScene.with { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        try await page.screenshot("console-first-start")
        try await page.click("a.button[href='#/setup']")
        try await page.waitFor("Step 1 of 3")
        try await page.fill("[name=url]", scene.service.url("/v1").absoluteString)
        try await page.fill("[name=model]", "small")
        try await page.fill("[name=key]", "sk-secret-of-the-test")
        try await page.screenshot("console-setup-1")
        try await page.click("form button[type=submit]")
        try await page.waitFor("Step 2 of 3")
        try await page.press(button: "Test local")
        try await page.waitFor("It works.")
        try await page.screenshot("console-setup-2")
        try await page.press(button: "Continue")
        try await page.waitFor("Step 3 of 3")

        let gate = ReplyGate()
        scene.service.reply(to: "/v1/chat/completions") { _ in
          ConsoleScene.stream([
            ConsoleScene.piece("Good "), .wait(gate), ConsoleScene.piece("day"),
          ])
        }
        try await page.fill("[name=text]", "Guten Tag")
        try await page.fill("[name=targetLanguage]", "English")
        try await page.press(button: "Run")
        // A piece is shown before the answer is complete.
        try await page.wait(for: "document.querySelector('.answer')?.textContent === 'Good '")
        #expect(
          try await page.evaluate(
            "document.querySelector('.answer').getAttribute('aria-busy') === 'true'", as: Bool.self)
        )
        try await page.screenshot("console-setup-3-streaming")
        gate.open()
        try await page.wait(
          for: "document.querySelector('.answer[aria-busy=false]')?.textContent === 'Good day'")
        try await page.waitFor("7 input tokens, 3 output tokens")
        try await page.waitFor("speechkit run translate --selection")
        try await page.screenshot("console-setup-3-done")

        let request = try #require(scene.service.requests.last)
        #expect(request.headers["Authorization"] == "Bearer sk-secret-of-the-test")
        #expect(request.text.contains("Guten Tag") && request.text.contains("English"))
        let configuration = try await scene.configuration
        #expect(configuration.connectors.map(\.credential) == ["local"])
        #expect(try await !scene.store.load().text.contains("secret"))
        #expect(page.complaints.isEmpty)
        // No request went to another server.
        #expect(
          page.requests.allSatisfy { $0.host == "127.0.0.1" && $0.port == scene.console.port })

        try await page.visit("#/home", heading: "Home")
        try await page.waitFor("Answered by local")
        try await page.screenshot("console-home")
      }
    }
  }

  @Test func `a late view does not replace the next one`() async throws {
    try await ConsoleScene.with { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        // Delays the response, even for a view that is no longer shown.
        try await page.run(
          """
          const now = window.fetch;
          window.fetch = async (path) => {
            const answer = await now(path);
            if (path !== "/api/file") return answer;
            const body = await answer.json();
            await new Promise((go) => { window.goOn = go; });
            return {ok: true, json: async () => body};
          };
          """)
        try await page.run("location.hash = '#/file'")
        try await page.run("while (!window.goOn) await new Promise((go) => setTimeout(go));")
        try await page.visit("#/connectors", heading: "Connectors")
        // All effects of the late response have happened by now.
        try await page.run("goOn(); await new Promise((go) => { setTimeout(go); });")
        #expect(try await page.evaluate("document.querySelector('h1').textContent") == "Connectors")
        #expect(try await page.evaluate("document.querySelector('main').ariaBusy") == "false")
        #expect(page.complaints.isEmpty)
      }
    }
  }

  @Test func `the page works with the keyboard alone`() async throws {
    try await ConsoleScene.with { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        // The first stop skips the navigation.
        try await page.press(.tab)
        #expect(
          try await page.evaluate("document.activeElement.textContent") == "Skip to content")
        try await page.press(.enter)
        try await page.wait(
          for: "document.activeElement.id === 'main' && location.hash === '#/home'")
        try await page.tab(to: "a.button[href='#/setup']")
        try await page.press(.enter)
        try await page.waitFor("Step 1 of 3")
        // The focus is at the beginning of the new view.
        try await page.wait(for: "document.activeElement.matches('h1, h2')")
        try await page.tab(to: "[name=url]")
        try await page.selectAll()
        try await page.type(scene.service.url("/v1").absoluteString)
        try await page.press(.enter)
        try await page.waitFor("Step 2 of 3")
        try await page.wait(for: "document.activeElement.textContent.startsWith('Step 2')")
        try await page.tab(to: "button")
        try await page.press(.space)
        // The next control has the focus.
        try await page.wait(for: "document.activeElement.textContent === 'Continue'")
        try await page.press(.enter)
        try await page.wait(for: "document.activeElement.textContent.startsWith('Step 3')")
        scene.service.reply(to: "/v1/chat/completions") { _ in ConsoleScene.answer("Bonjour") }
        try await page.tab(to: "[name=text]")
        try await page.type("Hello")
        try await page.press(.enter, with: .control)
        try await page.wait(
          for: "document.querySelector('.answer[aria-busy=false]')?.textContent === 'Bonjour'")
        try await page.tab(to: "article button")
        try await page.press(.space)
        try await page.wait(for: "document.activeElement.textContent === 'Copied'")
        // The answer is on the clipboard.
        try await page.tab(to: "[name=text]", with: .shift)
        try await page.selectAll()
        try await page.paste()
        try await page.wait(for: "document.querySelector('[name=text]').value === 'Bonjour'")
        #expect(page.complaints.isEmpty)
      }
    }
  }

  @Test func `actions are edited with a live preview`() async throws {
    try await ConsoleScene.with(connectors: { [.local("one", $0), .local("two", $0)] }) { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        try await page.visit("#/actions/translate", heading: "Action: Translate")
        try await page.wait(
          for: "document.querySelector('.preview').innerText.includes('brown fox')")
        try await page.fill("[name=prompt]", "Say {{text}} in {{target_language|Latin}}, {{mood}}!")
        try await page.waitFor("has no value")
        try await page.waitFor("mood")
        try await page.wait(
          for: "document.querySelector('[name=prompt]').getAttribute('aria-invalid') === 'true'")
        try await page.screenshot("console-action-fault")
        try await page.fill("[name=variables]", "mood = kindly")
        try await page.fill("[name=sampleTo]", "Greek")
        try await page.wait(
          for: "document.querySelector('.preview').innerText.endsWith('in Greek, kindly!')")
        #expect(
          try await page.evaluate(
            "document.querySelector('[name=prompt]').hasAttribute('aria-invalid')", as: Bool.self)
            == false)

        try await page.fill("[name=prompt]", "Say something kind.")
        try await page.waitFor("so the text is appended to it")
        try await page.wait(
          for: "document.querySelector('.preview').innerText.includes('brown fox')")

        try await page.fill("[name=prompt]", "Say {{#if text}}{{text}}")
        try await page.waitFor("line 1, column")
        try await page.press(button: "Save")
        try await page.wait(for: "document.activeElement.getAttribute('role') === 'alert'")
        #expect(try await scene.configuration.actions.action("translate").variables.isEmpty)
        #expect(page.complaints.count == 1 && page.complaints[0].contains("422"))
        page.forget()

        try await page.fill("[name=prompt]", "Say {{text}}, {{mood}}")
        try await page.fill("[name=name]", "Say kindly")
        try await page.click("[name=mode]")
        try await page.type("All at once, the")
        try await page.click("input[value=two]")
        try await page.press(button: "Move Two up")
        try await page.fill("[name=deadline]", "12.5s")
        try await page.press(button: "Save")
        try await page.waitForHeading("Actions")
        let action = try await scene.configuration.actions.action("translate")
        #expect(action.name == "Say kindly")
        #expect(action.prompt == "Say {{text}}, {{mood}}")
        #expect(action.variables == ["mood": "kindly"])
        #expect(action.routing.mode == .firstSuccess)
        #expect(action.routing.connectors == ["two"])
        #expect(action.routing.deadline == .milliseconds(12_500))

        try await page.visit("#/actions/translate", heading: "Action: Say kindly")
        try await page.press(button: "Clone")
        try await page.waitForHeading("Actions")
        try await page.waitFor("Say kindly (copy)")
        try await page.visit("#/actions/summarise", heading: "Action: Summarise")
        try await page.press(button: "Make default")
        try await page.waitForHeading("Actions")
        try await page.visit("#/actions/explain", heading: "Action: Explain")
        try await page.press(button: "Archive")
        try await page.waitFor("Archived")
        try await page.screenshot("console-actions")
        try await page.visit("#/actions/+new", heading: "New action")
        try await page.fill("[name=name]", "Haiku")
        try await page.fill("[name=prompt]", "A haiku about {{text}}")
        try await page.press(button: "Save")
        try await page.waitFor("Haiku")
        let library = try await scene.configuration.actions
        #expect(library.defaultID == "summarise")
        #expect(library.archived.map(\.id) == ["explain"])
        #expect(try library.action("haiku").prompt == "A haiku about {{text}}")
        #expect(page.complaints.isEmpty)
      }
    }
  }

  @Test func `errors are shown where they occur`() async throws {
    let closed = try LoopbackServer()
    closed.stop()
    try await ConsoleScene.with(connectors: {
      [.local("good", $0), .local("gone", closed), .local("keyless", $0, path: "/keyless")]
    }) { scene in
      scene.service.reply(to: "/keyless/chat/completions") { _ in
        .json(#"{"error":{"message":"Incorrect API key"}}"#, status: 401)
      }
      scene.service.reply(to: "/v1/chat/completions") { _ in ConsoleScene.answer("Fine") }
      try await scene.store.update { configuration in
        try configuration.actions.edit("translate") {
          $0.routing = RoutingRule(.parallel, connectors: ["good", "gone", "keyless"], retries: 0)
        }
      }
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        try await page.visit("#/run", heading: "Run")
        try await page.press(button: "Run")
        try await page.wait(for: "document.activeElement.getAttribute('role') === 'alert'")
        try await page.waitFor("There is no text. Type or paste")
        try await page.wait(
          for: "document.querySelector('[name=text]').getAttribute('aria-invalid') === 'true'")
        page.forget()

        try await page.fill("[name=text]", "Hallo")
        try await page.press(button: "Run")
        try await page.wait(
          for: "document.querySelectorAll('.answer[aria-busy=false]').length === 3")
        try await page.wait(
          for:
            "document.querySelector('[data-connector=good] .answer').textContent === 'Fine'")
        for id in ["gone", "keyless"] {
          let told = try await page.evaluate(
            "document.querySelector('[data-connector=\(id)] .bad').textContent", as: String.self)
          #expect(told.count > 20, "\(told)")
        }
        try await page.screenshot("console-run-parallel")

        try await page.visit("#/connectors", heading: "Connectors")
        try await page.press(button: "Test Gone")
        try await page.waitFor("It does not work.")
        try await page.press(button: "Test Keyless")
        try await page.wait(for: "document.querySelectorAll('.log .bad').length === 2")
        try await page.screenshot("console-connectors")

        // Another program changes the configuration in the meantime.
        try await page.visit("#/actions/tone", heading: "Action: Analyse tone")
        try await scene.store.update { configuration in
          try configuration.actions.edit("tone") { $0.name = "Tone" }
        }
        try await page.fill("[name=name]", "Mood")
        try await page.press(button: "Save")
        try await page.waitFor("The configuration changed after this page was loaded")
        #expect(try await scene.configuration.actions.action("tone").name == "Tone")
        try await page.screenshot("console-conflict")

        try await page.visit("#/connectors/+new", heading: "New connector")
        try await page.press(button: "Save")
        try await page.waitFor("Enter an id for the connector")
        try await page.fill("[name=id]", "good")
        try await page.press(button: "Save")
        try await page.waitFor("There is already a connector “good”")
        try await page.fill("[name=id]", "new")
        try await page.fill("[name=url]", "javascript:alert(1)")
        try await page.press(button: "Save")
        try await page.waitFor("is not a valid address")

        // The file is edited and has an error.
        let text = try await scene.store.load().text
        try (text + "\n[nonsense\n").write(to: scene.store.file, atomically: true, encoding: .utf8)
        try await page.visit("#/actions", heading: "Something went wrong")
        try await page.wait(
          for: "/Line \\d+, column \\d+/.test(document.activeElement.textContent)")
        try await page.screenshot("console-broken-file")
        try text.write(to: scene.store.file, atomically: true, encoding: .utf8)
        try await page.press(button: "Try again")
        try await page.waitForHeading("Actions")

        // The program has ended.
        try await page.visit("#/connectors/+new", heading: "New connector")
        try await page.fill("[name=id]", "new")
        scene.console.stop()
        try await page.press(button: "Save")
        try await page.waitFor("Is “speechkit console” still running?")
      }
    }
  }

  @Test func `a connector is changed, tested and removed`() async throws {
    try await ConsoleScene.with(connectors: { [.local("one", $0), .local("two", $0)] }) { scene in
      try await scene.store.update { configuration in
        try configuration.actions.edit("translate") { $0.routing.connectors = ["one"] }
      }
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        try await page.visit("#/connectors/one", heading: "Connector: One")
        try await page.press(button: "Test One")
        try await page.waitFor("It works.")
        try await page.fill("[name=id]", "first")
        try await page.fill("[name=temperature]", "0.3")
        try await page.fill("[name=headers]", "X-Team: translators")
        try await page.fill("[name=instructions]", "Be brief.")
        try await page.press(button: "Save")
        try await page.wait(for: "location.hash === '#/connectors/first'")
        let configuration = try await scene.configuration
        let connector = try #require(configuration.connectors.first)
        #expect(connector.id == "first" && connector.temperature == 0.3)
        #expect(connector.headers == ["X-Team": "translators"])
        #expect(connector.instructions == "Be brief.")
        // Actions refer to the connector by its new name.
        #expect(try configuration.actions.action("translate").routing.connectors == ["first"])

        // The new view, whose heading has the focus.
        try await page.wait(for: "document.activeElement.textContent === 'Connector: One'")
        try await page.press(button: "Remove")
        try await page.wait(for: "document.activeElement.textContent === 'Cancel'")
        try await page.press(.escape)
        try await page.wait(for: "!document.querySelector('dialog')")
        try await page.visit("#/connectors/two", heading: "Connector: Two")
        try await page.press(button: "Remove")
        try await page.screenshot("console-remove")
        try await page.press(button: "Remove connector")
        try await page.waitForHeading("Connectors")
        #expect(try await scene.configuration.connectors.map(\.id) == ["first"])
        #expect(page.complaints.isEmpty)
      }
    }
  }

  @Test func `a run is stopped, and an answer is spoken`() async throws {
    try await ConsoleScene.with(connectors: { [.local("one", $0)] }) { scene in
      let gate = ReplyGate()
      scene.service.reply(to: "/v1/chat/completions") { _ in
        ConsoleScene.stream([ConsoleScene.piece("half of it"), .wait(gate)])
      }
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        try await page.visit("#/run", heading: "Run")
        try await page.fill("[name=text]", "Hallo")
        try await page.press(button: "Run")
        try await page.wait(for: "document.querySelector('.answer')?.textContent === 'half of it'")
        try await page.press(button: "Stop")
        try await page.waitFor("Stopped")
        try await scene.service.wait { $0.openConnections == 0 }
        let asked = scene.service.requests.count
        try await page.press(button: "Speak the answer of One")
        try await page.wait(
          for:
            "[...document.querySelectorAll('button')].some(b => b.textContent === 'Speak' && "
            + "b.checkVisibility())"
        )
        #expect(scene.saying.words == ["half of it"])
        #expect(scene.service.requests.count == asked)
        // Leaving the view stops a run as well.
        try await page.press(button: "Run")
        try await page.wait(for: "document.querySelector('.answer')?.textContent === 'half of it'")
        try await page.visit("#/home", heading: "Home")
        try await scene.service.wait { $0.openConnections == 0 }

        scene.service.reply(to: "/v1/chat/completions") { _ in ConsoleScene.answer("For ever") }
        try await page.visit("#/run", heading: "Run")
        try await page.fill("[name=text]", "Hallo")
        try await page.press(button: "Run")
        try await page.wait(for: "document.querySelector('.answer[aria-busy=false]')")
        try await page.press(button: "Speak the answer of One")
        try await page.wait(
          for:
            "[...document.querySelectorAll('button')].some(b => b.textContent === 'Stop speaking')")
        try await scene.saying.wait { $0.last == "For ever" }
        try await page.press(button: "Speak the answer of One")
        try await scene.saying.wait { $0.last == "stopped" }
        #expect(page.complaints.isEmpty)
      }
    }
  }

  @Test func `markup in an answer, a name or an error is text`() async throws {
    let hostile =
      "</div><img src=x onerror=\"document.title='lost'\"><script>document.title='lost'</script>"
    try await ConsoleScene.with(connectors: {
      [.local("one", $0), .local("two", $0, path: "/two")]
    }) { scene in
      scene.service.reply(to: "/v1/chat/completions") { _ in ConsoleScene.answer(hostile) }
      scene.service.reply(to: "/two/chat/completions") { _ in
        .json(#"{"error":{"message":"<img src=x>"}}"#, status: 400)
      }
      try await scene.store.update { configuration in
        configuration.connectors[1].name = "<img src=y>"
        try configuration.actions.edit("translate") {
          $0.name = "<b>Bold</b>"
          $0.routing = RoutingRule(.parallel, retries: 0)
        }
      }
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        try await page.visit("#/run", heading: "Run")
        try await page.fill("[name=text]", hostile)
        try await page.press(button: "Run")
        try await page.wait(
          for: "document.querySelectorAll('.answer[aria-busy=false]').length === 2")
        #expect(
          try await page.evaluate(
            "document.querySelector('[data-connector=one] .answer').textContent")
            == hostile)
        for view in ["home", "actions", "actions/translate", "connectors", "connectors/two"] {
          try await page.run("location.hash = '#/\(view)'")
          try await page.wait(for: "document.querySelector('main').children.length > 1")
          #expect(
            try await page.evaluate(
              "document.querySelectorAll('main img, main script, main b').length", as: Int.self)
              == 0)
        }
        #expect(try await page.evaluate("document.title", as: String.self).contains("SpeechKit"))
        #expect(page.complaints.isEmpty)
        #expect(page.requests.allSatisfy { $0.port == scene.console.port })
      }
    }
  }

  @Test func `every view is accessible, in light and dark, wide and narrow`() async throws {
    try await ConsoleScene.with(connectors: { [.local("one", $0), .local("two", $0)] }) { scene in
      let long = "https://" + String(repeating: "a-very-long-name.", count: 8) + "example/v1"
      try await scene.store.update { $0.connectors[1].baseURL = long }
      scene.service.reply(to: "/v1/chat/completions") { _ in
        ConsoleScene.answer(String(repeating: "Donaudampfschifffahrtsgesellschaft", count: 6))
      }
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        let views = [
          ("home", "Home"), ("setup", "Setup"), ("actions", "Actions"),
          ("actions/translate", "Action: Translate"), ("actions/+new", "New action"),
          ("connectors", "Connectors"), ("connectors/one", "Connector: One"),
          ("connectors/+new", "New connector"), ("file", "File"), ("run", "Run"),
        ]
        for (view, heading) in views {
          try await page.visit("#/\(view)", heading: heading)
          if view == "run" {
            try await page.fill("[name=text]", "Hallo")
            try await page.press(button: "Run")
            try await page.wait(for: "document.querySelector('.answer[aria-busy=false]')")
          }
          for scheme in BrowserPage.ColourScheme.allCases {
            try await page.show(in: scheme)
            for width in [1_000, 320] {
              try await page.resize(width: width, height: 700)
              let audit = try await AccessibilityAudit(page)
              #expect(audit.faults.isEmpty, "\(view), \(scheme), \(width): \(audit.faults)")
              #expect(audit.measured > 8)
              try await page.screenshot(
                "console-\(view.replacing("/", with: "-"))-\(scheme)-\(width)")
            }
          }
          let tree = try await page.accessibilityTree()
          #expect(tree.of("navigation").map(\.name) == ["Console"])
          #expect(tree.of("banner").count == 1)
          #expect(tree.of("status").count >= 1)
        }
        #expect(page.complaints.isEmpty, "\(page.complaints)")
      }
    }
  }

  @Test func `the keyboard focus is always visible`() async throws {
    try await ConsoleScene.with(connectors: { [.local("one", $0)] }) { scene in
      try await Browser.use { browser in
        let page = try await scene.page(in: browser)
        for (view, heading) in [("run", "Run"), ("connectors/one", "Connector: One")] {
          try await page.visit("#/\(view)", heading: heading)
          let controls: Int = try await page.evaluate(
            "[...document.querySelectorAll('a, button, input, select, textarea')].filter(e => "
              + "e.checkVisibility() && !e.disabled).length"
          )
          var seen: Set<Int> = []
          for _ in 0..<(controls + 10) {
            try await page.press(.tab)
            let stop: [Int] = try await page.evaluate(
              """
              (() => {
                const element = document.activeElement, style = getComputedStyle(element);
                const box = element.getBoundingClientRect();
                return [[...document.querySelectorAll("*")].indexOf(element),
                  style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 ? 1 : 0,
                  box.bottom > 0 && box.top < innerHeight ? 1 : 0, element === document.body ? 1 : 0];
              })()
              """)
            if stop[3] == 1 { continue }
            seen.insert(stop[0])
            #expect(stop[1] == 1 && stop[2] == 1, "\(view): stop \(seen.count)")
          }
          #expect(seen.count >= controls, "\(view)")
        }
      }
    }
  }
}

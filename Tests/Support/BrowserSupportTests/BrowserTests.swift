import AIServiceTesting
import BrowserSupport
import Foundation
import Testing

@Suite(.serialized)
struct BrowserTests {
  private static func page(_ body: String, head: String = "") -> String {
    """
    <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A page</title>\(head)</head>
    <body>\(body)</body></html>
    """
  }

  @Test func `keys arrive as those of a keyboard`() async throws {
    try await Browser.use { browser in
      let page = try await browser.newPage()
      try await page.open(
        html: Self.page(
          """
          <main><h1>Keys</h1><label>Name <input id="name"></label>
          <label><input type="checkbox" id="box"> Box</label>
          <button id="go" onclick="document.title = name.value">Go</button></main>
          <script>window.trusted = [];
          addEventListener("keydown", event => trusted.push(event.isTrusted))</script>
          """))
      try await page.press(.tab)
      try await page.type("Ärger A1")
      try await page.press(.backspace)
      try await page.press(.tab)
      try await page.press(.space)
      try await page.press(.tab)
      try await page.press(.enter)
      try await page.wait(for: "document.title !== 'A page'")
      #expect(try await page.evaluate("document.getElementById('name').value") == "Ärger A")
      #expect(try await page.evaluate("document.getElementById('box').checked", as: Bool.self))
      #expect(try await page.evaluate("trusted.every(x => x)", as: Bool.self))
      try await page.press(.tab, with: .shift)
      try await page.press(.tab, with: .shift)
      try await page.selectAll()
      try await page.type("B")
      #expect(try await page.evaluate("document.getElementById('name').value") == "B")
      try await page.click("#box")
      #expect(try await page.evaluate("!document.getElementById('box').checked", as: Bool.self))
    }
  }

  @Test func `waiting ends with the change, or says what the page shows`() async throws {
    try await Browser.use { browser in
      let page = try await browser.newPage()
      try await page.open(
        html: Self.page(
          "<main><h1>Wait</h1><p id='p'>no</p></main>"
            + "<script>setTimeout(() => document.getElementById('p').textContent = 'yes', 50)</script>"
        ))
      try await page.wait(for: "document.getElementById('p').textContent === 'yes'")
      let error = await #expect(throws: BrowserError.self) {
        try await page.wait(for: "document.getElementById('q').x", within: .milliseconds(50))
      }
      #expect(error?.description.contains("yes") == true)
      #expect(error?.description.contains("getElementById('q').x") == true)
      await #expect(throws: BrowserError.self) { try await page.run("throw new Error('no')") }
    }
  }

  @Test func `complaints and requests are collected, and no name is looked up`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply { request in
      .text(
        Self.page(
          "<main><h1>\(request.headers["Host"] ?? "")</h1></main>"
            + "<script>console.error('bad', 1); fetch('https://example.org/x').catch(() => {});"
            + "setTimeout(() => { throw new Error('thrown') })</script>"),
        contentType: "text/html; charset=utf-8")
    }
    try await Browser.use(hosts: ["elsewhere.test"]) { browser in
      let page = try await browser.newPage()
      let url = try #require(URL(string: "http://elsewhere.test:\(server.port)/"))
      try await page.open(url)
      try await page.wait(for: "document.readyState === 'complete'")
      // The failed request has been answered by then.
      try await page.run("try { await fetch('https://example.org/y') } catch {}")
      #expect(page.requests.map(\.host).contains("example.org"))
      let complaints = page.complaints.joined(separator: "\n")
      #expect(complaints.contains("error: bad"))
      #expect(complaints.contains("thrown"))
      #expect(
        try await page.evaluate("document.body.innerText", as: String.self).contains(
          "elsewhere.test"))
    }
  }

  @Test func `the audit finds what is wrong, and nothing on a page that is well`() async throws {
    try await Browser.use { browser in
      let good = try await browser.newPage()
      try await good.open(
        html: Self.page("<main><h1>Good</h1><h2>Part</h2><button>Go</button><p>Text</p></main>"))
      #expect(try await AccessibilityAudit(good).faults.isEmpty)

      let bad = try await browser.newPage()
      try await bad.resize(width: 300, height: 400)
      try await bad.open(
        html: Self.page(
          """
          <h1>Bad</h1><h3>Deep</h3><button></button><input placeholder="" id="field">
          <p style="color: #aaa" id="pale">Pale</p><div style="width: 500px">Wide</div>
          """, head: "<style>#field { border-color: #eee }</style>"))
      let faults = try await AccessibilityAudit(bad).faults.joined(separator: "\n")
      for word in [
        "button has no name", "textbox has no name", "after one of level 1", "main part",
        "<p#pale>", "<input#field>", "wide in a window of 300: <div>",
      ] {
        #expect(faults.contains(word), "\(word) in \(faults)")
      }
      let tree = try await good.accessibilityTree()
      #expect(tree.of("heading").map(\.level) == [1, 2], "\(tree.outline)")
      #expect(tree.of("button").map(\.name) == ["Go"])
    }
  }

  @Test func `a picture has the size of the window`() async throws {
    try await Browser.use { browser in
      let page = try await browser.newPage()
      try await page.resize(width: 320, height: 200)
      try await page.open(html: Self.page("<main><h1>Small</h1></main>"))
      let picture = [UInt8](try await page.screenshot("browser-small"))
      #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(picture[16..<24].elementsEqual([0, 0, 1, 64, 0, 0, 0, 200]))
    }
  }

  @Test func `nothing is left when it is closed, and what waits is told`() async throws {
    let browser = try Browser()
    let page = try await browser.newPage()
    let waiting = Task { try await page.wait(for: "false") }
    _ = try await page.evaluate("1", as: Int.self)
    await browser.close()
    await #expect(throws: BrowserError.self) { try await waiting.value }
    await #expect(throws: BrowserError.self) { try await page.run("") }
  }
}

import AIServiceTesting
import BrowserSupport
import Foundation
import SpeechActions
import SpeechConsole
import Testing

/// Foreign pages in a browser that has access to the console.
@Suite(.serialized)
struct ConsoleForeignPageTests {
  @Test func `a foreign page has no access`() async throws {
    let elsewhere = try LoopbackServer()
    defer { elsewhere.stop() }
    elsewhere.reply { _ in
      .text(
        "<!DOCTYPE html><html "
          + "lang=en><title>Elsewhere</title><body><main><h1>Elsewhere</h1></main></html>",
        contentType: "text/html")
    }
    try await ConsoleScene.with(connectors: { [.local("one", $0)] }) { scene in
      let port = scene.console.port
      try await Browser.use(hosts: ["elsewhere.test", "rebound.test"]) { browser in
        let mine = try await scene.page(in: browser)
        let before = try await scene.store.load().revision
        // Another site, and another port of the same host, for which the cookies are the same.
        for host in ["elsewhere.test", "127.0.0.1"] {
          let page = try await browser.newPage(sharingCookiesWith: mine)
          try await page.open(try #require(URL(string: "http://\(host):\(elsewhere.port)/")))
          let outcomes: [String] = try await page.evaluate(
            """
            (async () => {
              const base = "http://127.0.0.1:\(port)", outcomes = [];
              const attempt = async (name, work) => {
                try { outcomes.push(name + ": " + await work()); } catch { outcomes.push(name + ": failed"); }
              };
              const post = {method: "POST", credentials: "include"};
              await attempt("read", async () => (await fetch(base + "/api/state", {credentials: "include"})).status);
              await attempt("send", async () => (await fetch(base + "/api/run", {...post,
                headers: {"Content-Type": "application/json"}, body: '{"action":"translate","text":"x"}'})).status);
              await attempt("blind", async () => (await fetch(base + "/api/run", {...post, mode: "no-cors",
                body: '{"action":"translate","text":"x"}'})).type);
              await attempt("script", () => new Promise((resolve, reject) => {
                const script = document.createElement("script");
                script.onload = () => resolve("loaded"); script.onerror = reject;
                script.src = base + "/console.js"; document.body.append(script);
              }));
              await attempt("picture", () => new Promise((resolve, reject) => {
                const image = new Image(); image.onload = () => resolve("loaded"); image.onerror = reject;
                image.src = base + "/icon.svg";
              }));
              await attempt("style", () => new Promise((resolve, reject) => {
                const link = document.createElement("link"); link.rel = "stylesheet";
                link.onload = () => resolve("loaded"); link.onerror = reject;
                link.href = base + "/console.css"; document.head.append(link);
              }));
              const frame = document.createElement("iframe");
              const framed = new Promise(resolve => { frame.onload = () => resolve("shown"); });
              frame.src = base + "/"; document.body.append(frame);
              await framed;
              await attempt("frame", async () => frame.contentDocument ? frame.contentDocument.body.innerText : "closed");
              return outcomes;
            })()
            """)
          #expect(
            outcomes.filter { !["failed", "closed"].contains($0.split(separator: " ").last ?? "") }
              .allSatisfy { $0 == "blind: opaque" }, "\(host): \(outcomes)")
          // A form of the other page.
          try await page.run(
            """
            const form = document.createElement("form");
            Object.assign(form, {method: "post", enctype: "text/plain", action: "http://127.0.0.1:\(port)/api/run"});
            document.body.append(form); form.submit();
            """)
          try await page.wait(for: "document.body.innerText.includes('Requests from other pages')")
        }
        #expect(scene.service.requests.isEmpty)
        #expect(try await scene.store.load().revision == before)

        // A name that was rebound to this machine. For the browser it is the page's own origin.
        let rebound = try await browser.newPage(sharingCookiesWith: mine)
        try await rebound.open(try #require(URL(string: "http://rebound.test:\(port)/")))
        let shown: String = try await rebound.evaluate("document.body.innerText")
        #expect(shown.contains("not the address of the console"))
        let status: Int = try await rebound.evaluate("fetch('/api/state').then(r => r.status)")
        #expect(status == 421)

        // The page with access is not disturbed.
        try await mine.visit("#/connectors", heading: "Connectors")
      }
    }
  }

  @Test func `a file with the link gives access`() async throws {
    try await ConsoleScene.with { scene in
      try await Browser.use { browser in
        let page = try await browser.newPage()
        try await page.open(
          html: """
            <!DOCTYPE html><html lang="en"><title>Open</title>
            <meta http-equiv="refresh" content="0;url=\(scene.console.url)"></html>
            """)
        try await page.waitForHeading("Home")
        #expect(
          try await page.evaluate("location.pathname + location.search", as: String.self) == "/")
        // The cookie is visible neither to scripts nor to other pages.
        #expect(try await page.evaluate("document.cookie", as: String.self).isEmpty)
        let second = try await browser.newPage()
        try await second.open(scene.console.url)
        #expect(
          try await second.evaluate("document.body.innerText", as: String.self)
            .contains("has been used"))
      }
    }
  }
}

import AIServiceTesting
import Foundation
import SpeechActions
import SpeechConsole
import Testing

/// Access control and limits of the console.
struct ConsoleSafetyTests {
  private static func ask(
    _ console: Console, _ line: String, _ headers: [String] = [], body: String = "",
    host: String? = nil, address: String = "127.0.0.1"
  ) async throws -> RawClient.Answer {
    try await asking(console, line, headers, body: body, host: host, address: address).answer()
  }

  /// A client that sent a request, and can read the response while it is retained.
  private static func asking(
    _ console: Console, _ line: String, _ headers: [String] = [], body: String = "",
    host: String? = nil, address: String = "127.0.0.1"
  ) throws -> RawClient {
    let client = try RawClient(port: console.port, address: address)
    var lines = [line + " HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(console.port)")"] + headers
    if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
    client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    return client
  }

  /// Opens the link and returns the header field with the cookie.
  private static func enter(_ console: Console) async throws -> String {
    let answer = try await ask(console, "GET \(console.url.path)?\(console.url.query ?? "")")
    #expect(answer.status == 200)
    let line = try #require(
      answer.head.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") })
    #expect(line.contains("HttpOnly") && line.contains("SameSite=Strict"))
    return "Cookie: " + line.dropFirst(12).prefix { $0 != ";" }
  }

  private static func origin(_ console: Console) -> String {
    "Origin: http://127.0.0.1:\(console.port)"
  }

  private static let json = "Content-Type: application/json"

  @Test func `the link works once, and only with its token`() async throws {
    try await ConsoleScene.with { scene in
      let console = scene.console
      #expect(try await Self.ask(console, "GET /").status == 401)
      #expect(try await Self.ask(console, "GET /api/state").status == 401)
      #expect(try await Self.ask(console, "GET /console.js").status == 401)
      #expect(try await Self.ask(console, "GET /enter?token=wrong").status == 403)
      #expect(try await Self.ask(console, "GET /enter").status == 403)
      let link = "GET \(console.url.path)?\(console.url.query ?? "")"
      // A prefetch does not use up the link.
      #expect(try await Self.ask(console, link, ["Sec-Purpose: prefetch"]).status == 403)
      let cookie = try await Self.enter(console)
      #expect(try await Self.ask(console, link).status == 403)
      // The link keeps working for the client that opened it.
      #expect(try await Self.ask(console, link, [cookie]).status == 200)
      for path in ["/", "/console.js", "/console.css", "/icon.svg", "/api/state"] {
        let answer = try await Self.ask(console, "GET \(path)", [cookie])
        #expect(answer.status == 200, "\(path)")
      }
      #expect(try await Self.ask(console, "GET /", [cookie + "x"]).status == 401)
      let token = console.url.query?.dropFirst(6) ?? ""
      #expect(token.count >= 43)
      #expect(!(try await Self.ask(console, "GET /", [cookie]).body.contains(token)))
    }
  }

  @Test func `every response has the security headers`() async throws {
    try await ConsoleScene.with { scene in
      let cookie = try await Self.enter(scene.console)
      for (line, headers) in [
        ("GET /", [cookie]), ("GET /", []), ("GET /nothing", [cookie]),
        ("GET /api/state", [cookie]),
        ("PUT /", [cookie]), ("GET /enter?token=x", []),
      ] {
        let head = try await Self.ask(scene.console, line, headers).head.lowercased()
        #expect(head.contains("content-security-policy: default-src 'none'; script-src 'self';"))
        #expect(!head.contains("unsafe"))
        #expect(head.contains("x-content-type-options: nosniff"))
        #expect(head.contains("cache-control: no-store"))
        #expect(head.contains("referrer-policy: no-referrer"))
        #expect(!head.contains("access-control"))
      }
    }
  }

  @Test func `foreign host names and pages are refused`() async throws {
    try await ConsoleScene.with { scene in
      let console = scene.console
      let cookie = try await Self.enter(console)
      let port = console.port
      for host in [
        "evil.example:\(port)", "evil.example", "127.0.0.1", "127.0.0.1:1",
        "127.0.0.1:\(port).evil.example",
        "127.0.0.2:\(port)", "localhost.evil.example:\(port)", "0.0.0.0:\(port)",
      ] {
        let answer = try await Self.ask(console, "GET /", [cookie], host: host)
        #expect(answer.status == 421, "\(host)")
        #expect(!answer.body.contains("<"))
      }
      #expect(try await Self.ask(console, "GET /", [cookie, "Host: evil.example"]).status != 200)
      for host in ["localhost:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)"] {
        #expect(try await Self.ask(console, "GET /", [cookie], host: host).status == 200)
      }
      for foreign in [
        ["Origin: http://evil.example"], ["Origin: null"], ["Origin: http://127.0.0.1:1"],
        ["Origin: http://localhost:\(port)"], ["Sec-Fetch-Site: cross-site"],
        ["Sec-Fetch-Site: same-site"], [Self.origin(console), "Origin: http://evil.example"],
      ] {
        #expect(try await Self.ask(console, "GET /api/state", [cookie] + foreign).status == 403)
        let answer = try await Self.ask(
          console, "POST /api/preview", [cookie, Self.json] + foreign, body: "{}")
        #expect(answer.status == 403, "\(foreign)")
      }
      // Changes require a page that identifies itself.
      let answer = try await Self.ask(
        console, "POST /api/preview", [cookie, Self.json], body: "{}")
      #expect(answer.status == 403)
    }
  }

  @Test func `only the assets and the interface are served`() async throws {
    try await ConsoleScene.with { scene in
      let cookie = try await Self.enter(scene.console)
      for path in [
        "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
        "/console.js/../../../etc/passwd", "//etc/passwd", "/etc/passwd", "/Assets/console.js",
        "/console.js%00", "/./", "/api", "/api/", "/api/run", "/api/state/", "/console.js.map",
      ] {
        let answer = try await Self.ask(scene.console, "GET \(path)", [cookie])
        #expect([400, 404].contains(answer.status), "\(path)")
        #expect(!answer.body.contains("root:"), "\(path)")
      }
      #expect(try await Self.ask(scene.console, "DELETE /", [cookie]).status == 405)
      #expect(try await Self.ask(scene.console, "OPTIONS /api/run", [cookie]).status == 405)
      let answer = try await Self.ask(
        scene.console, "POST /api/preview",
        [cookie, Self.origin(scene.console), "Content-Type: text/plain"], body: "{}")
      #expect(answer.status == 415)
      let other = try await Self.ask(
        scene.console, "POST /api/preview", [cookie, Self.origin(scene.console), Self.json],
        body: "{\"prompt\": 1")
      #expect(other.status == 400)
    }
  }

  @Test func `only loopback addresses are served`() async throws {
    try await ConsoleScene.with { scene in
      let cookie = try await Self.enter(scene.console)
      let six = try await Self.ask(
        scene.console, "GET /", [cookie], host: "[::1]:\(scene.console.port)", address: "::1")
      #expect(six.status == 200)
      #expect(throws: POSIXError.self) {
        try RawClient(port: scene.console.port, address: "127.0.0.2")
      }
      let error = #expect(throws: ConsoleError.self) {
        try Console(
          ConsoleServices(
            configuration: scene.store, credentials: scene.credentials,
            runner: ActionRunner(credentials: scene.credentials),
            test: ConnectorTest(credentials: scene.credentials)), port: scene.console.port)
      }
      #expect(error == .portTaken(scene.console.port))
      #expect(error?.errorDescription?.contains("--port") == true)
    }
  }

  @Test func `a request that is too large is refused before it is read`() async throws {
    try await ConsoleScene.with(limits: ConsoleLimits(body: 1_000)) { scene in
      let console = scene.console
      let headers = [try await Self.enter(console), Self.origin(console), Self.json]
      let announced = try RawClient(port: console.port)
      announced.send(
        (["POST /api/preview HTTP/1.1", "Host: 127.0.0.1:\(console.port)"] + headers
          + ["Content-Length: 1000000000000"]).joined(separator: "\r\n") + "\r\n\r\n")
      #expect(await announced.answer().status == 413)
      let chunked = try await Self.ask(
        console, "POST /api/preview", headers + ["Transfer-Encoding: chunked"])
      #expect(chunked.status == 411)
      let large = String(repeating: "x", count: 1_001)
      #expect(try await Self.ask(console, "POST /api/preview", headers, body: large).status == 413)
      // A head without an end.
      let endless = try RawClient(port: console.port)
      endless.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(console.port)\r\n")
      for _ in 0..<2_000 where !endless.send("X-Filler: \(large)\r\n") { break }
      #expect(await endless.answer().status != 200)
      #expect(try await Self.ask(console, "GET /", [headers[0]]).status == 200)
    }
  }

  @Test func `slow clients are disconnected`() async throws {
    let limits = ConsoleLimits(requestTime: .milliseconds(300))
    try await ConsoleScene.with(limits: limits) { scene in
      let console = scene.console
      let cookie = try await Self.enter(console)
      let silent = try RawClient(port: console.port)
      let dripping = try RawClient(port: console.port)
      let body = try RawClient(port: console.port)
      dripping.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(console.port)\r\n")
      body.send(
        [
          "POST /api/preview HTTP/1.1", "Host: 127.0.0.1:\(console.port)", cookie, Self.json,
          Self.origin(console), "Content-Length: 100", "", "{",
        ].joined(separator: "\r\n"))
      let begin = ContinuousClock.now
      let drip = Task.detached {
        // Single bytes keep the connection from being idle.
        while dripping.send("X"), body.send(" ") { try await Task.sleep(for: .milliseconds(20)) }
      }
      #expect(await silent.hangsUp())
      #expect(await dripping.hangsUp())
      #expect(await body.hangsUp())
      drip.cancel()
      #expect(ContinuousClock.now - begin < .seconds(120))
      #expect(try await Self.ask(console, "GET /", [cookie]).status == 200)
    }
  }

  @Test func `excess connections are refused, and the others continue`() async throws {
    let limits = ConsoleLimits(connections: 8, requestTime: .milliseconds(500))
    try await ConsoleScene.with(limits: limits) { scene in
      let cookie = try await Self.enter(scene.console)
      var clients: [RawClient] = []
      for _ in 0..<40 {
        if let client = try? RawClient(port: scene.console.port) { clients.append(client) }
      }
      for client in clients { #expect(await client.hangsUp()) }
      clients = []
      #expect(try await Self.ask(scene.console, "GET /", [cookie]).status == 200)
    }
  }

  @Test func `idle connections of other programs leave room for the browser`() async throws {
    // No connection is closed for its time.
    let limits = ConsoleLimits(
      connections: 64, requestTime: .seconds(3_600), idleTime: .seconds(3_600))
    try await ConsoleScene.with(limits: limits) { scene in
      let cookie = try await Self.enter(scene.console)
      let known = try Self.asking(scene.console, "GET /api/state", [cookie])
      #expect(await known.answer().status == 200)
      let idle = try (0..<64).map { _ in try RawClient(port: scene.console.port) }
      #expect(try await Self.ask(scene.console, "GET /api/state", [cookie]).status == 200)
      // A connection that has shown the cookie is kept.
      known.send(
        "GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:\(scene.console.port)\r\n\(cookie)\r\n\r\n")
      #expect(await known.answer().status == 200)
      withExtendedLifetime(idle) {}
    }
  }

  @Test func `a console closes immediately during answers`() async throws {
    try await ConsoleScene.with(connectors: { [.local("a", $0)] }) { scene in
      let console = scene.console
      let cookie = try await Self.enter(console)
      let gate = ReplyGate()
      scene.service.reply(to: "/v1/chat/completions") { _ in
        ConsoleScene.stream([ConsoleScene.piece("one"), .wait(gate)])
      }
      let body = #"{"action":"translate","text":"eins"}"#
      var clients: [RawClient] = []
      for _ in 0..<5 {
        let client = try RawClient(port: console.port)
        client.send(
          [
            "POST /api/run HTTP/1.1", "Host: 127.0.0.1:\(console.port)", cookie, Self.json,
            Self.origin(console), "Content-Length: \(body.utf8.count)", "", body,
          ].joined(separator: "\r\n"))
        #expect(await client.answer().status == 200)
        clients.append(client)
      }
      try await gate.reached(times: 4)
      let begin = ContinuousClock.now
      console.stop()
      #expect(ContinuousClock.now - begin < .seconds(120))
      for client in clients { #expect(await client.hangsUp()) }
      // No client waits for the answers.
      try await scene.service.wait { $0.openConnections == 0 }
      #expect(throws: POSIXError.self) { try RawClient(port: console.port) }
    }
  }

  @Test func `the connection to the service is closed when the reader has left`() async throws {
    let limits = ConsoleLimits(pulse: .milliseconds(50))
    try await ConsoleScene.with(connectors: { [.local("a", $0)] }, limits: limits) { scene in
      let cookie = try await Self.enter(scene.console)
      let gate = ReplyGate()
      scene.service.reply(to: "/v1/chat/completions") { _ in
        ConsoleScene.stream([ConsoleScene.piece("one"), .wait(gate)])
      }
      do {
        let reader = try Self.asking(
          scene.console, "POST /api/run", [cookie, Self.json, Self.origin(scene.console)],
          body: #"{"action":"translate","text":"eins"}"#)
        // A client that leaves before the service is asked prevents the request.
        try await gate.reached()
        withExtendedLifetime(reader) {}
      }
      try await scene.service.wait { $0.openConnections == 0 }
    }
  }
}

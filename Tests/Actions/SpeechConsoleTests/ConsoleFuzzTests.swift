import AIServices
import Foundation
import SpeechActions
import TestSupport
import Testing

@testable import SpeechConsole

/// Arbitrary requests to the console.
struct ConsoleFuzzTests {
  private static let port = 8_123
  private static let json = "Content-Type: application/json"

  /// A site without a server, and its credentials.
  private final class Site: Sendable {
    /// Fixed, so that every run sends the same bytes.
    static let session = String(repeating: "s3cr3t-", count: 6)
    let gatekeeper = Gatekeeper(
      port: ConsoleFuzzTests.port, token: String(repeating: "t0k3n-", count: 7), session: session)
    let site: ConsoleAPI
    let store: FileConfigurationStore
    let cookie: String
    private let folder: URL

    init() throws {
      folder = URL(filePath: "/dev/shm").appending(path: "console-fuzz-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      store = FileConfigurationStore(file: folder.appending(path: "actions.toml"))
      let keys = AICredentialManager()
      site = ConsoleAPI(
        ConsoleServices(
          configuration: store, credentials: keys, runner: ActionRunner(credentials: keys),
          test: ConnectorTest(credentials: keys), speak: { pieces in for await _ in pieces {} }),
        gatekeeper: gatekeeper, limits: ConsoleLimits(pulse: .milliseconds(20)))
      let entrance = ConsoleRequest(
        method: "GET", path: Gatekeeper.entrance,
        headers: [("Host", "127.0.0.1:\(ConsoleFuzzTests.port)")], token: gatekeeper.token)
      guard case .entered(let line) = gatekeeper.verdict(on: entrance) else {
        preconditionFailure("the link does not lead in")
      }
      cookie = String(line.prefix { $0 != ";" })
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func forget() {
      try? FileManager.default.removeItem(at: store.file)
    }
  }

  /// Parses a head leniently, because a server may accept all of it.
  private static func request(_ bytes: [UInt8]) -> ConsoleRequest {
    let lines = String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let first = (lines.first ?? "").split(separator: " ", maxSplits: 2).map(String.init)
    let target = (first.count > 1 ? first[1] : "/").split(separator: "?", maxSplits: 1)
    var request = ConsoleRequest(
      method: first.first ?? "", path: String(target.first ?? ""),
      headers: lines.dropFirst().compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return (
          String(line[..<colon]),
          line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        )
      })
    if target.count > 1, let query = target.last, query.hasPrefix("token=") {
      request.token = String(query.dropFirst(6))
    }
    return request
  }

  private static let paths = [
    "/", "/console.js", "/console.css", "/icon.svg", "/enter", "/api/state", "/api/file",
    "/api/file/export", "/../etc/passwd", "/%2e%2e/", "//", "/api/../", "/console.js/",
  ]
  private static let routes = [
    "/api/preview", "/api/action/save", "/api/action/clone", "/api/action/archive",
    "/api/action/default", "/api/connector/save", "/api/connector/remove", "/api/connector/test",
    "/api/run", "/api/stop", "/api/speak", "/api/file/check", "/api/file/save",
  ]

  private static func heads(_ port: Int, _ more: [String]) -> [String] {
    let host = "Host: 127.0.0.1:\(port)"
    let gets = paths.map { "GET \($0) HTTP/1.1\r\n\(host)\r\n" }
    let posts = routes.map {
      "POST \($0) HTTP/1.1\r\n\(host)\r\nOrigin: http://127.0.0.1:\(port)\r\nSec-Fetch-Site: "
        + "same-origin\r\n\(json)\r\n"
    }
    return (gets + posts + ["GET /enter?token=abc HTTP/1.1\r\n\(host)\r\n"])
      .flatMap { head in more.map { head + $0 } }
  }

  private static func snippets(_ port: Int) -> [String] {
    [
      "\r\n", "\n", ":", " ", "\u{0}", ";", "=", "\"", "Host: evil.example\r\n",
      "Host: localhost:\(port)\r\n", "Origin: null\r\n", "Origin: http://evil.example\r\n",
      "Sec-Fetch-Site: cross-site\r\n", "Cookie: speechkit-console-\(port)=\r\n", "Cookie: ",
      "/enter?token=", "../", "%00", "🙂", "Transfer-Encoding: chunked\r\n",
      "Content-Length: 99999999999999999999\r\n", "Expect: 100-continue\r\n",
    ]
  }

  @Test func `no request has access without the cookie`() throws {
    let site = try Site()
    // With and without valid credentials, so that both kinds of near misses occur.
    var hostile = HostileBytes(
      Self.heads(
        Self.port,
        ["", "Cookie: \(site.cookie)\r\n", "Cookie: speechkit-console-\(Self.port)=wrong\r\n"]),
      snippets: Self.snippets(Self.port), seed: 41)
    var (served, refused) = (0, 0)
    for _ in 0..<Endurance.count(full: 90_000, short: 4_500) {
      let request = Self.request(hostile.next())
      let answer = site.site.immediateAnswer(to: request)
      guard answer == nil || answer?.status == 200 else {
        refused += 1
        continue
      }
      served += 1
      let cookies = request.values("Cookie").joined(separator: ";")
      let entered = request.path == Gatekeeper.entrance && request.token == site.gatekeeper.token
      let isHere = ["127.0.0.1", "localhost", "[::1]"].contains { name in
        request.value("Host")?.lowercased() == "\(name):\(Self.port)"
      }
      let own = "http://\(request.value("Host") ?? "")".lowercased()
      let isForeign = request.values("Origin").contains { $0.lowercased() != own }
      if !(cookies.contains(Site.session) || entered) || !isHere || isForeign {
        Issue.record("\(request) got \(String(describing: answer))")
      }
    }
    #expect(served > 0 && refused > 0)
  }

  private static let bodies: [String: [String]] = [
    "/api/preview": [#"{"prompt":"{{text}}","system":"","variables":{"a":"b"},"text":"x"}"#],
    "/api/action/save": [
      #"{"revision":"REV","original":null,"action":{"id":"x","name":"X","prompt":"{{text}}","system":"","output":"text","schema":null,"formatting":[],"after":["clean-up"],"variables":{},"mode":"sequential","connectors":[],"retries":2,"deadline":"20s","privacy":"anywhere","archived":false}}"#
    ],
    "/api/action/clone": [#"{"revision":"REV","id":"translate"}"#],
    "/api/action/archive": [#"{"revision":"REV","id":"translate","isArchived":true}"#],
    "/api/action/default": [#"{"revision":"REV","id":"summarise"}"#],
    "/api/connector/save": [
      #"{"revision":"REV","original":null,"key":"k","connector":{"id":"c","name":"C","vendor":"","kind":"openai","url":"http://127.0.0.1:9/v1","credential":"","model":"m","headers":{"X-A":"b"},"timeout":"1s","instructions":"","streaming":true,"concurrency":4,"active":false}}"#
    ],
    "/api/connector/remove": [#"{"revision":"REV","id":"c"}"#],
    "/api/connector/test": [#"{"id":"nobody"}"#],
    "/api/run": [#"{"action":"translate","text":"eins","targetLanguage":"en","variables":{}}"#],
    "/api/stop": [#"{"id":"abc"}"#],
    "/api/speak": [#"{"text":"hello"}"#, #"{"run":"abc","connector":"c"}"#],
    "/api/file/check": [#"{"text":"version = 1\n[connector.a]\nmodel = \"x\"\n"}"#],
    "/api/file/save": [#"{"base":"","text":"version = 1\n"}"#],
  ]

  @Test func `any body gets a response without a crash`() async throws {
    let site = try Site()
    #expect(Set(Self.bodies.keys) == Set(Self.routes))
    let revision = try await site.store.load().revision
    var makers = Self.routes.enumerated().map { index, path in
      (
        path,
        HostileBytes.json(
          (Self.bodies[path] ?? []).map { $0.replacing("REV", with: revision) },
          seed: 50 + UInt64(index))
      )
    }
    var statuses: [Int: Int] = [:]
    for round in 0..<Endurance.count(full: 10_000, short: 1_000) {
      // The configuration is reset at intervals, because only the requests matter here.
      if round.isMultiple(of: 100) {
        site.forget()
        _ = await site.site.response(
          to: ConsoleRequest(method: "GET", path: "/api/state", headers: []))
      }
      let index = round % makers.count
      let request = ConsoleRequest(
        method: "POST", path: makers[index].0, headers: [], body: Data(makers[index].1.next()))
      let response = await site.site.response(to: request)
      statuses[response.status, default: 0] += 1
      if ![200, 400, 404, 409, 422].contains(response.status) {
        Issue.record(
          "\(request.path) \(String(decoding: request.body, as: UTF8.self)): \(response)")
      }
    }
    #expect(statuses[200] ?? 0 > 0 && statuses[400] ?? 0 > 0 && statuses[422] ?? 0 > 0)
  }

  @Test func `a real port survives any bytes, and reveals nothing`() async throws {
    let limits = ConsoleLimits(requestTime: .milliseconds(300), idleTime: .milliseconds(300))
    try await ConsoleScene.with(limits: limits) { scene in
      let port = scene.console.port
      var hostile = HostileBytes(
        Self.heads(port, ["\r\n", "Content-Length: 2\r\n\r\n{}", "Cookie: a=b\r\n\r\n"]),
        snippets: Self.snippets(port), seed: 61)
      var answers: [Int: Int] = [:]
      // Many at once, because incomplete requests wait for their timeout.
      for _ in 0..<Endurance.count(full: 640, short: 96) / 32 {
        let requests = (0..<32).map { _ in
          let bytes = hostile.next()
          return hostile.cut(bytes, atMost: 400).map { Array($0) }
        }
        let told = try await withThrowingTaskGroup(of: RawClient.Answer.self) { group in
          for pieces in requests {
            group.addTask {
              let client = try RawClient(port: port)
              for piece in pieces where client.send(piece) {}
              client.endSending()
              return await client.answer()
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        for answer in told {
          answers[answer.status ?? 0, default: 0] += 1
          // The page's own files, and the program's state.
          let isTold = ["console.js", "revision", "[connector"].contains {
            answer.body.contains($0)
          }
          if answer.status == 200 || isTold { Issue.record("\(answer)") }
        }
      }
      #expect(answers.keys.count { $0 >= 400 } > 2, "\(answers)")
      // The link still works. On a machine that stalls for longer than a request may take, another
      // try is needed.
      var status: Int?
      for _ in 0..<20 where status != 200 {
        let client = try RawClient(port: port)
        client.send(
          "GET \(scene.console.url.path)?\(scene.console.url.query ?? "") HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
        )
        status = await client.answer().status
      }
      #expect(status == 200)
    }
  }
}

import AIServiceTesting
import Foundation
import ServiceTestSupport
import Testing

struct CurlTransportTests {
  @Test func `a request is sent unchanged and its response is returned`() async throws {
    let exchange = try Exchange()
    exchange.server.enqueue(
      .json(#"{"ok":true}"#, status: 201, headers: ["X-Request-Id": "req_1", "X-Empty": ""]))
    let response = try await exchange.send(
      .post, "/v1/chat?a=1%202",
      headers: [
        "Content-Type": "application/json", "X-Order": "one", "x-order": "two", "X-None": "",
      ],
      body: Data(#"{"model":"m"}"#.utf8))
    #expect(response.status == 201)
    #expect(response.headers["x-request-id"] == "req_1")
    #expect(response.headers["X-Empty"] == "")
    #expect(try await response.body.collected() == Data(#"{"ok":true}"#.utf8))

    let request = try #require(exchange.server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/v1/chat?a=1%202")
    #expect(request.text == #"{"model":"m"}"#)
    let names = ["Content-Type", "X-Order", "x-order", "X-None", "Content-Length"]
    #expect(
      request.headers.fields.map(\.name).filter { names.contains($0) }.sorted() == names.sorted())
    #expect(
      request.headers.fields.map(\.value).filter { ["one", "two"].contains($0) } == ["one", "two"])
    #expect(request.headers["X-None"] == "")
  }

  @Test func `the head contains only expected headers`() async throws {
    let exchange = try Exchange(
      transport: CurlTransport(offline: OfflineMode(), userAgent: "Test/1"))
    exchange.server.reply { _ in .text("") }
    for (method, body) in [
      (HTTPRequest.Method.get, nil), (.delete, nil), (.post, Data()), (.post, Data("x".utf8)),
      (.put, Data("x".utf8)), (.delete, Data("x".utf8)),
    ] {
      _ = try await exchange.body(method, body: body)
    }
    let heads = exchange.server.requests.map { String(decoding: $0.head, as: UTF8.self) }
    let start = "/ HTTP/1.1\r\nHost: 127.0.0.1:\(exchange.server.port)\r\n"
    let fields = "User-Agent: Test/1\r\nAccept: */*\r\n"
    #expect(
      heads == [
        "GET \(start)\(fields)\r\n", "DELETE \(start)\(fields)\r\n",
        "POST \(start)\(fields)Content-Length: 0\r\n\r\n",
        "POST \(start)\(fields)Content-Length: 1\r\n\r\n",
        "PUT \(start)\(fields)Content-Length: 1\r\n\r\n",
        "DELETE \(start)\(fields)Content-Length: 1\r\n\r\n",
      ])
  }

  @Test func `the toolkit sends its user agent, unless the request sets one`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in .text("") }
    _ = try await exchange.body()
    _ = try await exchange.body(headers: ["User-Agent": "Mine"])
    let names = exchange.server.requests.map { $0.headers["User-Agent"] ?? "" }
    #expect(names[0].wholeMatch(of: /SpeechKit\/\d+\.\d+\.\d+/) != nil)
    #expect(names[1] == "Mine")
  }

  @Test func `a secret reaches the server and appears nowhere else`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in .text("") }
    var headers: HTTPHeaders = [:]
    headers.setSecret("Authorization", SecureString("marked-secret"), prefix: "Bearer ")
    _ = try await exchange.body(headers: headers)
    #expect(exchange.server.requests[0].headers["Authorization"] == "Bearer marked-secret")
    let request = HTTPRequest(.get, exchange.server.url(), headers: headers)
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!dumped.contains("marked") && !"\(request)".contains("marked"))
  }

  @Test func `large bodies are sent and received`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { .fixed(body: $0.body) }
    // A slice whose indices do not start at zero.
    let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })[7...]
    let response = try await exchange.send(.post, body: body)
    #expect(try await response.body.collected() == body)
  }

  @Test func `a redirect is not followed, and the key is not forwarded`() async throws {
    let exchange = try Exchange()
    let elsewhere = try LoopbackServer()
    exchange.server.reply { _ in .redirect(to: elsewhere.url("/stolen"), status: 307) }
    var headers: HTTPHeaders = [:]
    headers.setSecret("xi-api-key", SecureString("marked-secret"))
    let response = try await exchange.send(.post, headers: headers, body: Data("{}".utf8))
    #expect(response.status == 307)
    #expect(response.headers["Location"] == elsewhere.url("/stolen").absoluteString)
    #expect(elsewhere.acceptedConnections == 0)
  }

  @Test func `connections are kept for the next request`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in .text("yes") }
    for method in [HTTPRequest.Method.get, .post, .get, .post] {
      #expect(
        try await exchange.body(method, body: method == .post ? Data("x".utf8) : nil) == "yes")
    }
    #expect(exchange.server.acceptedConnections == 1)
    #expect(exchange.server.requests.count == 4)
  }

  @Test func `interim responses and trailers are not part of the response`() async throws {
    let exchange = try Exchange()
    exchange.server.enqueue(
      ScriptedReply(raw: [
        .send("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n"),
        .send("Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nTrailer: t\r\n\r\n"),
      ]))
    let response = try await exchange.send()
    #expect(response.status == 200)
    #expect(response.headers["Link"] == nil)
    #expect(response.headers["A"] == "b")
    #expect(try await response.body.collected() == Data("hi".utf8))
  }

  @Test(arguments: [
    "ftp://127.0.0.1/", "file:///etc/passwd", "data:text/plain,x", "http:///path", "gopher://a/",
    "http://user@127.0.0.1/", "http://user:word@127.0.0.1/", "http://127.0.0.1/#part", "relative",
  ])
  func `an unsupported address is refused`(_ address: String) async throws {
    let url = try #require(URL(string: address))
    let failure = await failure {
      _ = try await Exchange().transport.send(HTTPRequest(.get, url, timeouts: .forTests))
    }
    guard case .invalidRequest = failure else {
      Issue.record("\(address): \(String(describing: failure))")
      return
    }
  }

  @Test(arguments: [
    "a\r\nInjected: yes", "a\nb", "a\rb", "a\0b", "a\u{7F}", "schlüssel", "a\u{1B}[2J",
  ])
  func `a header value with control characters is refused before anything is sent`(_ value: String)
    async throws
  {
    let exchange = try Exchange()
    var secret: HTTPHeaders = [:]
    secret.setSecret("Authorization", SecureString(value), prefix: "Bearer ")
    var prefix: HTTPHeaders = [:]
    prefix.setSecret("Authorization", SecureString("key"), prefix: value)
    for headers in [secret, prefix, ["X-Plain": value], [value: "x"], ["": "x"]] {
      let failure = await failure { _ = try await exchange.send(headers: headers) }
      guard case .invalidRequest(let text) = failure else {
        Issue.record("\(String(describing: failure))")
        continue
      }
      #expect(!text.contains(value))
    }
    #expect(exchange.server.acceptedConnections == 0)
  }

  @Test(arguments: ["Content-Length", "transfer-encoding"])
  func `headers of body framing cannot be set`(_ name: String) async throws {
    let exchange = try Exchange()
    let failure = await failure { _ = try await exchange.send(.post, headers: [name: "5"]) }
    guard case .invalidRequest = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(exchange.server.acceptedConnections == 0)
  }

  @Test func `in offline mode no connection is opened`() async throws {
    let offline = OfflineMode(isOn: true)
    let exchange = try Exchange(transport: CurlTransport(offline: offline))
    exchange.server.reply { _ in .text("") }
    #expect(await failure { _ = try await exchange.send() } == .offline("127.0.0.1"))
    #expect(exchange.server.acceptedConnections == 0)
    offline.isOn = false
    #expect(try await exchange.send().status == 200)
  }

  @Test func `a proxy of the environment is used, except for this machine`() async {
    await #expect(processExitsWith: .success) {
      let proxy = try LoopbackServer()
      proxy.reply { .text($0.target) }
      setenv("http_proxy", proxy.url().absoluteString, 1)
      setenv("no_proxy", "direct.invalid", 1)
      let exchange = try Exchange()
      exchange.server.reply { _ in .text("direct") }
      #expect(try await exchange.body() == "direct")
      #expect(proxy.requests.isEmpty)

      let address = try #require(URL(string: "http://somewhere.invalid/path"))
      let response = try await exchange.transport.send(
        HTTPRequest(.get, address, timeouts: .forTests))
      #expect(try await response.body.collected() == Data(address.absoluteString.utf8))
      #expect(proxy.requests.map(\.target) == [address.absoluteString])

      let direct = try #require(URL(string: "http://direct.invalid/"))
      #expect(
        await failure {
          _ = try await exchange.transport.send(HTTPRequest(.get, direct, timeouts: .forTests))
        } != nil)
      #expect(proxy.requests.count == 1)
    }
  }
}

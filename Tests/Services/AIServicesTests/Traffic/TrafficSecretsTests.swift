import AIServiceTesting
import Foundation
import SpeechConcurrency
import Testing

/// Tests that no secret reaches a recording, in whatever form.
struct TrafficSecretsTests {
  private static let key = "sk-marked-0123/456+789=\"canary\\ABCDEFGH"

  /// The key as services and programs write it, produced without the code that looks for it.
  private static let forms: [String] = {
    let hex = key.utf8.map { "%" + String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    let unicode = key.utf8.map { "\\u00" + String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    let quoted = key.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let slashed = quoted.replacing("/", with: "\\/")
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    let percent = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return [
      key, percent, percent.lowercased().replacing("abcdefgh", with: "ABCDEFGH"), hex,
      hex.uppercased(), percent.replacing("%", with: "%25"), quoted, slashed, unicode,
      unicode.uppercased().replacing("U", with: "u"),
      slashed.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""),
      base64(key), base64("u:" + key), base64("us:" + key), base64("use:" + key),
      base64(key + ":p"), base64("u:" + key).replacing("+", with: "-").replacing("/", with: "_"),
      base64("x" + key).replacing("=", with: "%3D").replacing("+", with: "%2B"),
      base64("xy" + key).replacing("/", with: "\\/"), String(key.prefix(14)),
      String(key.dropFirst(6).prefix(10)),
    ]
  }()

  private func expectClean(_ recording: TrafficRecording, _ comment: String = "") {
    var bytes = recording.text
    for exchange in recording.exchanges {
      // Also across pieces.
      bytes += "\n" + exchange.pieces.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
      bytes += "\n" + String(decoding: exchange.request.body ?? Data(), as: UTF8.self)
    }
    for form in Self.forms {
      let letters = Array(form)
      for start in 0...letters.count - 8 {
        let piece = String(letters[start..<start + 8])
        // The escapes of letters begin alike; their content counts.
        guard !piece.contains("u00"), piece.filter({ $0 == "%" }).count < 2 else { continue }
        #expect(!bytes.contains(piece), "\(comment): \(piece) of \(form)")
      }
      #expect(!bytes.contains(form), "\(comment): \(form)")
    }
    #expect(!bytes.contains("canary"))
  }

  @Test(arguments: forms)
  func `a key that a request carries is found in every form`(_ form: String) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply { _ in
      .text("before \(form) after", headers: ["X-Echo": "it is \(form)!"])
    }
    let transport = RecordingTransport(CurlTransport(offline: OfflineMode()))
    var request = HTTPRequest(.post, server.url("/v1"), body: Data("<\(form)>".utf8))
    request.headers.setSecret("X-Custom", SecureString(Self.key), prefix: "Bearer ")
    _ = try await transport.send(request).body.collected()
    let recording = transport.recording
    expectClean(recording)
    // Everything else remains.
    let text = recording.text
    #expect(text.contains("before ") && text.contains(" after") && text.contains("it is "))
    #expect(text.components(separatedBy: SecureString.mask).count >= 5)
    #expect(server.requests[0].text == "<\(form)>")
  }

  @Test func `a key that spans two pieces, and one in an address, are found`() async throws {
    for cut in 1..<Self.key.utf8.count {
      let transport = RecordingTransport(
        ScriptedTransport(pieces: [
          Data("one \(Self.key)".utf8).prefix(4 + cut),
          Data("one \(Self.key)".utf8).dropFirst(4 + cut) + Data(" two".utf8), Data("three".utf8),
        ]))
      var request = HTTPRequest(.get, try #require(URL(string: "http://host/a")))
      request.headers.setSecret("Authorization", SecureString(Self.key))
      _ = try await transport.send(request).body.collected()
      let pieces = transport.recording.exchanges[0].pieces
      #expect(
        pieces.map { String(decoding: $0.bytes, as: UTF8.self) } == ["one ••••", " two", "three"])
    }
    let percent = Self.key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let transport = RecordingTransport(ScriptedTransport(pieces: []))
    let address = "http://host/v1/\(percent)/x?key=abcdefgh1234&model=m&q=\(percent)#no"
    let request = HTTPRequest(
      .get, try #require(URL(string: address)),
      headers: ["Authorization": "Bearer \(Self.key)"])
    _ = try await transport.send(request)
    #expect(
      transport.recording.exchanges[0].request.url
        == "http://host/v1/••••/x?key=••••&model=m&q=••••#no")
    #expect(transport.recording.exchanges[0].request.headers == [.init("Authorization", "••••")])
  }

  @Test func `a key from a watched store is found, even if no header carries it`()
    async throws
  {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply { .text("You said \($0.text).") }
    let transport = RecordingTransport(CurlTransport(offline: OfflineMode()))
    let keys = AICredentialManager(sources: transport.watching([InMemoryCredentialStore()]))
    try await keys.store(
      credential: AICredential(providerID: "own", type: .apiKey, name: "Test"),
      value: SecureString("  \(Self.key)\n"))
    let key = try await keys.retrieve(providerID: "own", type: .apiKey)
    #expect(key.value == Self.key)
    let body = Data("the key is \(key.value)".utf8)
    key.clear()
    _ = try await transport.send(HTTPRequest(.post, server.url(), body: body)).body.collected()
    expectClean(transport.recording)
    #expect(transport.recording.text.contains("You said the key is ••••."))
    var dumped = ""
    dump(transport, to: &dumped)
    #expect(!dumped.contains("canary"))
  }

  @Test(arguments: [
    (#"{"api_key":"abc","model":"m"}"#, #"{"api_key":"••••","model":"m"}"#),
    (#"{"Api-Key" : "a\"b\\", "x":1}"#, #"{"Api-Key" : "••••", "x":1}"#),
    (#"{"token":12345,"max_tokens":7}"#, #"{"token":0,"max_tokens":7}"#),
    (
      #"{"secret":["a",{"b":"c","d":-1.5e3}],"e":"f"}"#,
      #"{"secret":["••••",{"b":"••••","d":0}],"e":"f"}"#
    ),
    ("data: {\"access_token\":\"abc\"}\n\ndata: x", "data: {\"access_token\":\"••••\"}\n\ndata: x"),
    (#"{"text":"{\"password\":\"abc\",\"a\":1}"}"#, #"{"text":"{\"password\":\"••••\",\"a\":1}"}"#),
    (#"{"api\u005fkey":"abc"}"#, #"{"api\u005fkey":"••••"}"#),
    (
      #"{"token":null,"password":"","secret":true}"#, #"{"token":null,"password":"","secret":true}"#
    ),
    (#"{"token":"never ends"#, #"{"token":"••••"#),
    (#"{"next":"https://a.b/c?key=abc&page=2"}"#, #"{"next":"https://a.b/c?key=••••&page=2"}"#),
    (#"{"next":"https:\/\/me:pass@a.b\/c"}"#, #"{"next":"https:\/\/••••@a.b\/c"}"#),
    (
      "--b\r\nContent-Disposition: form-data; name=\"api_key\"\r\n\r\nabc\r\n--b--",
      "--b\r\nContent-Disposition: form-data; name=\"api_key\"\r\n\r\n••••\r\n--b--"
    ),
    (
      #"{"tokens":["a"],"keys":"b","the token":"c"}"#,
      #"{"tokens":["a"],"keys":"b","the token":"c"}"#
    ),
  ])
  func `only values whose names suggest a secret are masked`(_ body: String, _ left: String)
    async throws
  {
    let transport = RecordingTransport(ScriptedTransport(pieces: [Data(body.utf8)]))
    let address = try #require(URL(string: "http://host/"))
    _ = try await transport.send(HTTPRequest(.post, address, body: Data(body.utf8))).body
      .collected()
    let exchange = transport.recording.exchanges[0]
    #expect(String(decoding: exchange.request.body ?? Data(), as: UTF8.self) == left)
    #expect(String(decoding: exchange.pieces[0].bytes, as: UTF8.self) == left)
  }

  @Test func `forms, header fields, cookies and the caller's names are masked`() async throws {
    var secrets = TrafficSecrets.standard
    secrets.values = [SecureString("Anna")]
    secrets.members.insert("customer")
    secrets.headers.insert("X-Org")
    let transport = RecordingTransport(
      ScriptedTransport(
        pieces: [Data(#"{"customer":"x","say":"Hello Anna, 1122334455"}"#.utf8)],
        headers: ["Set-Cookie": "sid=1122334455; Path=/", "X-ORG": "o", "X-Id": "1"]),
      hiding: secrets)
    let address = try #require(URL(string: "http://host/"))
    let request = HTTPRequest(
      .post, address,
      headers: ["Content-Type": "application/x-www-form-urlencoded", "Cookie": "a=b"],
      body: Data("client_secret=abc&grant=x".utf8))
    _ = try await transport.send(request).body.collected()
    let exchange = transport.recording.exchanges[0]
    #expect(
      String(decoding: exchange.request.body ?? Data(), as: UTF8.self)
        == "client_secret=••••&grant=x")
    #expect(exchange.request.headers.last == .init("Cookie", "••••"))
    #expect(
      exchange.answer?.headers
        == [.init("Set-Cookie", "••••"), .init("X-ORG", "••••"), .init("X-Id", "1")])
    #expect(
      String(decoding: exchange.pieces[0].bytes, as: UTF8.self)
        == #"{"customer":"••••","say":"Hello ••••, ••••"}"#)
  }

  @Test func `a replay matches a request with different secrets`() async throws {
    let recording = TrafficRecording([
      RecordedExchange(
        .init(
          "POST", "http://a/••••/b?key=••••", body: Data(#"{"token":"••••","a":"x •••• y"}"#.utf8)),
        answer: .init(204))
    ])
    let replay = ReplayTransport(recording)
    var request = HTTPRequest(
      .post, try #require(URL(string: "http://c/path-0815/b?key=k")),
      body: Data(#"{"a":"x other y","token":"new"}"#.utf8))
    request.headers.setSecret("Authorization", SecureString("path-0815"))
    #expect(try await replay.send(request).status == 204)
  }
}

/// A transport with a scripted answer.
struct ScriptedTransport: HTTPTransport {
  var pieces: [Data]
  var headers: HTTPHeaders = [:]
  var waits: [Duration] = []
  var clock: SkippingClock?
  var failure: HTTPFailure?

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let number = Guarded(0)
    let (pieces, waits, clock, failure) = (pieces, waits, clock, failure)
    clock?.advance(by: waits.first ?? .zero)
    return HTTPResponse(
      status: 200, headers: headers,
      body: HTTPBody {
        let index = number.withLock { number in
          defer { number += 1 }
          return number
        }
        if index + 1 < waits.count { clock?.advance(by: waits[index + 1]) }
        if index < pieces.count { return pieces[index] }
        if let failure { throw failure }
        return nil
      })
  }
}

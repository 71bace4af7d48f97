import AIServiceTesting
import Foundation
import ServiceTestSupport
import Testing

/// Tests against another implementation of TLS, with valid and invalid certificates.
struct CurlTransportTLSTests {
  @Test func `a server with a certificate of the authority is trusted`() async throws {
    let certificates = try await TestCertificates()
    let server = try LoopbackServer()
    let secure = try await SecureLoopback(server, certificates)
    server.reply { .fixed(body: $0.body) }
    let transport = CurlTransport(
      offline: OfflineMode(), certificateFile: certificates.authorityFile)
    let body = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    for host in ["localhost", "127.0.0.1"] {
      let request = HTTPRequest(.post, secure.url(host: host), body: body, timeouts: .forTests)
      #expect(try await transport.send(request).body.collected() == body)
    }
  }

  @Test(arguments: [TestCertificates.Kind.wrongHost, .selfSigned, .expired])
  func `a wrong certificate is refused before any of the request is sent`(
    _ kind: TestCertificates.Kind
  ) async throws {
    let certificates = try await TestCertificates()
    let server = try LoopbackServer()
    let secure = try await SecureLoopback(server, certificates, kind)
    let transport = CurlTransport(
      offline: OfflineMode(), certificateFile: certificates.authorityFile)
    let failure = await failure {
      _ = try await transport.send(HTTPRequest(.get, secure.url(), timeouts: .forTests))
    }
    guard case .untrusted(let text) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(!text.isEmpty)
    #expect(server.requests.isEmpty)
  }

  @Test func `an unknown authority is not trusted`() async throws {
    let certificates = try await TestCertificates()
    let server = try LoopbackServer()
    let secure = try await SecureLoopback(server, certificates)
    for transport in [
      CurlTransport(offline: OfflineMode()),
      CurlTransport(offline: OfflineMode(), certificateFile: "/nowhere.pem"),
    ] {
      let failure = await failure {
        _ = try await transport.send(HTTPRequest(.get, secure.url(), timeouts: .forTests))
      }
      guard case .untrusted = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
    }
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [ScriptedReply.closed, .reset])
  func `a hang-up in the handshake is not an untrusted server`(
    _ reply: ScriptedReply
  ) async throws {
    let server = try LoopbackServer()
    server.greet(with: reply)
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let failure = await failure {
      _ = try await CurlTransport(offline: OfflineMode()).send(
        HTTPRequest(.get, url, timeouts: .forTests))
    }
    switch failure {
    // The second if the hang-up comes right after the connection was established.
    case .interrupted(_, beforeResponse: true), .unreachable: break
    default: Issue.record("\(String(describing: failure))")
    }
  }

  @Test func `a server without TLS is not trusted`() async throws {
    let server = try LoopbackServer()
    server.greet(with: ScriptedReply(raw: [.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .stall]))
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let failure = await failure {
      _ = try await CurlTransport(offline: OfflineMode()).send(
        HTTPRequest(.get, url, timeouts: .forTests))
    }
    guard case .untrusted = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func `a stream over TLS arrives as it is read, and stops on release`()
    async throws
  {
    let certificates = try await TestCertificates()
    let server = try LoopbackServer()
    let secure = try await SecureLoopback(server, certificates)
    let gate = ReplyGate()
    server.reply { _ in
      .events([.send("data: one\n\n"), .wait(gate), .send("data: two\n\n"), .stall])
    }
    let transport = CurlTransport(
      offline: OfflineMode(), certificateFile: certificates.authorityFile)
    func read() async throws {
      let response = try await transport.send(HTTPRequest(.get, secure.url(), timeouts: .forTests))
      var events = response.body.serverSentEvents().makeAsyncIterator()
      #expect(try await events.next()?.data == "one")
      gate.open()
      #expect(try await events.next()?.data == "two")
    }
    try await read()
    try await server.wait { $0.openConnections == 0 }
  }
}

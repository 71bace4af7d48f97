import Foundation
import TestSupport
import Testing

@testable import ServiceTransport

/// Tests of arbitrary streams: no crash, and the same result however the bytes are split.
struct HostileStreamTests {
  @Test func `server-sent events`() async {
    var hostile = HostileBytes(
      [
        "event: message_start\ndata: {\"type\":\"message_start\"}\n\nevent: ping\ndata: {}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"grüß 日本 🙂\"}}]}\r\n\r\ndata: [DONE]\r\n\r\n",
        "\u{FEFF}: hi\rretry: 10\rid: 5\rdata: a\rdata: b\r\rdata\n\ndata: \n\nevent:x\n\n",
      ],
      snippets: [
        "\n", "\r", "\r\n", "\n\n", ":", "data:", "data: ", "event:", "id:\0", "\u{FEFF}",
      ], seed: 4_711)
    await expectSameHoweverCut(&hostile, rounds: Endurance.count(full: 100_000, short: 5_000)) {
      (pieces, events: inout [ServerSentEvent]) throws(HTTPFailure) in
      var parser = ServerSentEventParser(lineLimit: 60, eventLimit: 80)
      for piece in pieces {
        parser.append(piece)
        while let event = try parser.next() { events.append(event) }
      }
    }
  }

  @Test func `lines`() async {
    var hostile = HostileBytes(
      ["{\"a\":1}\n{\"b\":2}\r\n\r\n{\"c\":3}", "one\rtwo\r\rthree\n\n\nfour"],
      snippets: ["\n", "\r", "\r\n", "\0"], seed: 4_712)
    await expectSameHoweverCut(&hostile, rounds: Endurance.count(full: 20_000, short: 2_000)) {
      (pieces, lines: inout [Data]) throws(HTTPFailure) in
      var parser = LineParser(limit: 20)
      for piece in pieces {
        parser.append(piece)
        while let line = try parser.next() { lines.append(line) }
      }
      if let last = parser.finish() { lines.append(last) }
    }
  }

  private func expectSameHoweverCut<Element: Equatable>(
    _ hostile: inout HostileBytes, rounds: Int,
    _ parse: ([Data], inout [Element]) throws(HTTPFailure) -> Void
  ) async {
    func outcome(_ pieces: [Data]) -> ([Element], HTTPFailure?) {
      var elements: [Element] = []
      do throws(HTTPFailure) {
        try parse(pieces, &elements)
        return (elements, nil)
      } catch {
        return (elements, error)
      }
    }
    for number in 0..<rounds {
      // Lets other tests use the thread.
      if number % 1_000 == 0 { await Task.yield() }
      let bytes = hostile.next()
      guard outcome(hostile.cut(bytes)) == outcome([Data(bytes)]) else {
        Issue.record("\(bytes) reads differently when it is cut")
        return
      }
    }
  }

  @Test func `answers to the request for a WebSocket`() async throws {
    let accepted =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: one\r\n\r\n"
    var hostile = HostileBytes(
      [
        accepted, "HTTP/1.1 100 Continue\r\n\r\n" + accepted,
        "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\nnot you",
        "HTTP/1.1 503 Later\nRetry-After: 5\n\nlater",
      ],
      snippets: [
        "\r\n", "\n", "\r\n\r\n", ":", " ", "HTTP/1.1 101 x\r\n", "Content-Length: -1\r\n",
        "Content-Length: 99999999999999999999\r\n", "Sec-WebSocket-Extensions: x\r\n",
        "Connection: close\r\n",
      ], seed: 4_713)
    var request = WebSocketRequest(try #require(URL(string: "ws://host/")))
    request.subprotocols = ["one"]
    let handshake = try WebSocketHandshake(
      request, address: WebSocketAddress(request.url), nonce: Array("the sample nonce".utf8))
    func outcome(_ pieces: [Data]) -> Result<WebSocketHandshake.Answer?, HTTPFailure> {
      var handshake = handshake
      do throws(HTTPFailure) {
        for piece in pieces {
          if let (answer, _) = try handshake.consume(piece) { return .success(answer) }
        }
        return .success(try handshake.consume([], isEnd: true)?.0)
      } catch {
        return .failure(error)
      }
    }
    var accepts = 0
    let rounds = Endurance.count(full: 10_000, short: 1_000)
    for number in 0..<rounds {
      if number % 1_000 == 0 { await Task.yield() }
      let bytes = hostile.next()
      let whole = outcome([Data(bytes)])
      guard outcome(hostile.cut(bytes)) == whole else {
        Issue.record("\(bytes) reads differently when it is cut")
        return
      }
      if case .success(.accepted) = whole { accepts += 1 }
    }
    // Bytes are useful only if some of them are accepted.
    #expect(accepts > rounds / 100)
  }
}

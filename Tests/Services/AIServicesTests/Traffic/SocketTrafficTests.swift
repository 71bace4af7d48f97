import AIServiceTesting
import AIServices
import Foundation
import ServiceTestSupport
import SpeechConcurrency
import TestSupport
import Testing

/// Tests of recorded and replayed WebSockets.
struct SocketTrafficTests {
  private static let address = "ws://host/socket"

  private func request(_ address: String = Self.address) throws -> WebSocketRequest {
    WebSocketRequest(try #require(URL(string: address)))
  }

  private func recording(
    _ events: [RecordedSocket.Event], end: RecordedSocket.End = .abandoned,
    endAfter: Duration = .zero
  ) -> TrafficRecording {
    TrafficRecording(sockets: [
      RecordedSocket(
        .init("GET", Self.address), opening: .init(), events: events, end: end, endAfter: endAfter)
    ])
  }

  @Test func `an environment opens WebSockets through its transport`()
    async throws
  {
    let replay = ReplayTransport(recording([]))
    #expect(ServiceEnvironment(transport: replay).sockets as? ReplayTransport === replay)
    let offline = ServiceEnvironment(transport: CurlTransport(offline: OfflineMode(isOn: true)))
    let error = await #expect(throws: HTTPFailure.self) {
      _ = try await offline.sockets.open(request("ws://127.0.0.1:9/socket"))
    }
    guard case .offline? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  // MARK: Real servers

  private static let scripts = ["/echo", "/bye", "/refuse"]

  @Test(.needsPeers, arguments: scripts)
  func `messages, ends and refusals are replayed`(_ path: String) async throws {
    func outcome(_ transport: any WebSocketTransport, _ port: Int) async -> [String] {
      var told: [String] = []
      do {
        let socket = try await transport.open(request("ws://127.0.0.1:\(port)\(path)"))
        try await socket.send([.text("grüß"), .binary(Data([0, 255, 1])), .text("")])
        for _ in 0..<(path == "/echo" ? 3 : 1) {
          told.append("\(try await socket.receive() as Any)")
        }
        if path == "/echo" {
          await socket.close(code: 4_002, reason: "done")
        } else {
          while let message = try await socket.receive() { told.append("\(message)") }
        }
        told.append("\(socket.close as Any)")
      } catch {
        told.append("\(error)")
      }
      return told
    }
    let transport = RecordingTransport(CurlTransport(offline: OfflineMode()))
    let live = try await Peer.with("websocket_echo.py") { peer in
      await outcome(transport, peer.port)
    }
    let recording = try TrafficRecording(text: transport.recording.text)
    #expect(recording.sockets.count == 1)
    let replay = ReplayTransport(recording)
    let again = await outcome(replay, 1)
    #expect(again == live)
    #expect(replay.unopened.isEmpty)
    #expect(replay.mismatches.isEmpty)
    switch path {
    case "/echo": #expect(recording.sockets[0].end == .closed(.init(code: 4_002, reason: "done")))
    case "/bye": #expect(recording.sockets[0].end == .closed(.init(code: 4_001, reason: "enough")))
    case "/refuse": #expect(live == ["\(WebSocketHandshakeError(status: 403, body: "not you"))"])
    default: break
    }
  }

  @Test(.needsPeers) func `failures are replayed`() async throws {
    let transport = RecordingTransport(CurlTransport(offline: OfflineMode()))
    func outcome(_ transport: any WebSocketTransport, _ port: Int, _ lose: () async -> Void) async
      -> [String]
    {
      var told: [String] = []
      do {
        let socket = try await transport.open(request("ws://127.0.0.1:\(port)/echo"))
        try await socket.send(.text("a"))
        told.append("\(try await socket.receive() as Any)")
        await lose()
        told.append("\(try await socket.receive() as Any)")
      } catch {
        told.append("\(error)")
      }
      do {
        _ = try await transport.open(request("ws://127.0.0.1:\(port)/echo"))
      } catch {
        told.append("\(error)")
      }
      return told
    }
    let (port, live) = try await Peer.with("websocket_echo.py") { peer in
      (peer.port, await outcome(transport, peer.port) { await peer.stop() })
    }
    #expect(live.count == 3)
    #expect(live[1].contains("interrupted") && live[2].contains("unreachable"))
    let replay = ReplayTransport(try TrafficRecording(text: transport.recording.text))
    #expect(await outcome(replay, port) {} == live)
    #expect(replay.unopened.isEmpty)
  }

  // MARK: Order, time, and what does not fit

  @Test func `a message arrives when all earlier ones have been sent`() async throws {
    let recording = recording([
      .init(.received(.text("hello"))), .init(.sent(.text("a"))), .init(.sent(.text("b"))),
      .init(.received(.text("A"))), .init(.received(.text("B"))), .init(.sent(.binary(Data([1])))),
      .init(.received(.binary(Data([2])))),
    ])
    let replay = ReplayTransport(recording)
    let socket = try await replay.open(request())
    #expect(try await socket.receive() == .text("hello"))
    let next = Task { try await socket.receive() }
    try await socket.send(.text("b"))
    #expect(replay.unsent == [.text("a"), .binary(Data([1]))])
    try await socket.send(.text("a"))
    #expect(try await next.value == .text("A"))
    #expect(try await socket.receive() == .text("B"))
    let waiting = Task { try await socket.receive() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    try await socket.send(.binary(Data([1])))
    #expect(try await socket.receive() == .binary(Data([2])))
    await socket.close()
    #expect(try await socket.receive() == nil)
    #expect(socket.close?.code == 1_000)
    await #expect(throws: HTTPFailure.self) { try await socket.send(.text("late")) }

    let strict = ReplayTransport(recording, order: .asRecorded)
    let other = try await strict.open(request())
    await #expect(throws: TrafficError.self) { try await other.send(.text("b")) }
    await #expect(throws: TrafficError.self) { try await other.receive() }
    await #expect(throws: TrafficError.self) { _ = try await strict.open(request()) }
  }

  @Test func `messages and ends take their recorded time`() async throws {
    let recording = recording(
      [
        .init(.received(.text("1")), after: .milliseconds(120)),
        .init(.sent(.text("?")), after: .seconds(5)),
        .init(.received(.text("2")), after: .milliseconds(30)),
      ], end: .closed(.init(code: 4_000, reason: "bye")), endAfter: .seconds(2))
    let clock = SteppedClock()
    let socket = try await ReplayTransport(recording, clock: ServiceClock(clock)).open(request())
    let read = Task {
      var heard: [WebSocketMessage] = []
      for try await message in socket.messages { heard.append(message) }
      return heard
    }
    try await clock.advance(toSleeperAfter: .milliseconds(120))
    clock.advance(by: .seconds(7))
    try await socket.send(.text("?"))
    try await clock.advance(toSleeperAfter: .milliseconds(30))
    try await clock.advance(toSleeperAfter: .seconds(2))
    #expect(try await read.value == [.text("1"), .text("2")])
    #expect(socket.close == .init(code: 4_000, reason: "bye"))
  }

  @Test func `a message differs from the recorded one in what is not masked`() async throws {
    let recording = recording([
      .init(.sent(.text(#"{"ask":{"n":150,"token":"••••"}}"#))), .init(.received(.text("yes"))),
    ])
    let replay = ReplayTransport(recording)
    let socket = try await replay.open(request())
    try await socket.send(.text(#"{"ask":{"token":"another","n":150.0}}"#))
    #expect(try await socket.receive() == .text("yes"))
    let other = try await ReplayTransport(recording).open(request())
    let wrong = #"{"ask":{"n":151,"token":"another"}}"#
    let error = await #expect(throws: TrafficError.self) { try await other.send(.text(wrong)) }
    guard case .notRecorded(let mismatch)? = error else { return }
    #expect(mismatch.differences.map(\.place) == ["message.ask.n"])
    #expect(
      mismatch.description.hasSuffix(
        "and differs in\n  message.ask.n:\n    recorded 150\n    sent     151"))
  }

  @Test func `secrets in messages are masked`() async throws {
    let secret = "sk-marked-0123-canary"
    let transport = RecordingTransport(
      CurlTransport(offline: OfflineMode()), sockets: EchoingSockets())
    var secrets = try request("ws://host/socket?token=\(secret)")
    secrets.headers.setSecret("Authorization", SecureString(secret), prefix: "Bearer ")
    let socket = try await transport.open(secrets)
    try await socket.send([
      .text("the key is \(secret)"), .text(#"{"api_key":"short","n":1}"#),
      .binary(Data([0]) + Data(secret.utf8)),
    ])
    // A client joins with a token, which is not an ordinary word there.
    try await socket.send([
      .text(#"40{"token":"socket-io-canary"}"#),
      .text(#"["1","1","room:a","phx_join",{"token":"phoenix-canary"}]"#),
      .text("It said socket-io-canary and phoenix-canary."),
    ])
    for _ in 0..<6 { _ = try await socket.receive() }
    let recording = transport.recording
    #expect(!recording.text.contains("canary"))
    #expect(!recording.text.contains(Data(secret.utf8).base64EncodedString().prefix(12)))
    #expect(
      recording.sockets[0].received.prefix(2)
        == [.text("the key is ••••"), .text(#"{"api_key":"••••","n":1}"#)])
    let replay = ReplayTransport(try TrafficRecording(text: recording.text))
    let again = try await replay.open(request("ws://host/socket?token=other"))
    try await again.send(.text("the key is other"))
    #expect(replay.mismatches.isEmpty)
  }

  @Test func `another address, an extra message and a large message are rejected`() async throws {
    let replay = ReplayTransport(
      recording([.init(.sent(.text("a"))), .init(.received(.text("123456")))]))
    let error = await #expect(throws: TrafficError.self) {
      _ = try await replay.open(request("wss://elsewhere/other"))
    }
    #expect(error?.localizedDescription.contains("GET wss://elsewhere/other was not") == true)
    // The host does not matter.
    var small = try request("wss://elsewhere/socket")
    small.messageLimit = 5
    let socket = try await replay.open(small)
    try await socket.send(.text("a"))
    await #expect(throws: HTTPFailure.tooLarge(limit: 5)) { try await socket.receive() }
    let again = ReplayTransport(recording([]))
    let empty = try await again.open(request())
    await #expect(throws: TrafficError.self) { try await empty.send(.text("b")) }
    #expect(again.mismatches[0].description.contains("nothing is left to be sent there"))
  }

  @Test func `a connection whose opening was cancelled times out`()
    async throws
  {
    let clock = SteppedClock()
    let replay = ReplayTransport(
      TrafficRecording(sockets: [RecordedSocket(.init("GET", Self.address), end: .cancelled)]),
      clock: ServiceClock(clock))
    let request = try request()
    let opening = Task { try await replay.open(request) }
    try await clock.advance(toSleeperAfter: .seconds(10))
    await #expect(throws: HTTPFailure.timedOut(.connect)) { _ = try await opening.value }
  }
}

/// Connections that return each message.
private struct EchoingSockets: WebSocketTransport {
  func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection { Echo() }

  private final class Echo: WebSocketConnection {
    private let waiting = Guarded<[WebSocketMessage]>([])
    var subprotocol: String? { nil }
    var close: WebSocketClose? { nil }

    func send(_ messages: [WebSocketMessage]) async throws {
      waiting.withLock { $0 += messages }
    }

    func receive() async throws -> WebSocketMessage? {
      waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func close(_ close: WebSocketClose) async {}
    func drop() async {}
  }
}

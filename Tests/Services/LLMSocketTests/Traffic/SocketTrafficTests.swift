import AIServiceTesting
import AIServices
import Foundation
import LLMSocket
import ServiceTestSupport
import SpeechConcurrency
import TestSupport
import Testing

/// WebSockets, recorded and replayed.
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

  @Test func `whoever goes by a replay, or keeps off the network, does so over WebSockets as well`()
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
  func `messages, ends and refusals come back as they were`(_ path: String) async throws {
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
    case "/refuse": #expect(live == ["\(WebSocketRefusal(status: 403, body: "not you"))"])
    default: break
    }
  }

  @Test(.needsPeers) func `failures come back, too`() async throws {
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

  @Test(.needsPeers)
  func `acknowledgements, bytes and questions of Socket IO come back`() async throws {
    func converse(
      _ client: SocketIOClient, _ answered: () async throws -> Void
    ) async throws -> [String] {
      var events = client.events().makeAsyncIterator()
      try await client.connect()
      var told = ["\(try await client.request("echo", ["grün", 1, 2.5, nil]).arguments)"]
      let bytes = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
      let reply = try await client.request("reverse", [.attachment(0)], attachments: [bytes])
      told.append("\(reply.data(reply.arguments[0]) == Data(bytes.reversed()))")
      try await client.emit("ask")
      let question = try #require(await events.next())
      told.append("\(question.name) \(question.arguments)")
      try await client.acknowledge(question, ["42"])
      try await answered()
      try await client.join("/admin")
      told.append("\(try await client.request("echo", [1], namespace: "/admin").arguments)")
      try await client.emit("blob", [100])
      told.append("\(try #require(await events.next()).attachments)")
      await client.disconnect()
      return told
    }
    for transports in [SocketIOConfiguration.Transports.webSocket, .polling, .pollingWithUpgrade] {
      func client(
        _ port: Int, _ transport: any HTTPTransport & WebSocketTransport
      ) throws -> SocketIOClient {
        SocketIOClient(
          SocketIOConfiguration(
            url: try #require(URL(string: "http://127.0.0.1:\(port)")), transports: transports,
            reconnection: .never), http: transport, sockets: transport)
      }
      let recorder = RecordingTransport(CurlTransport(offline: OfflineMode()))
      let live = try await Peer.with("socketio_server.py") { peer in
        try await converse(client(peer.port, recorder)) {
          let words = try await peer.report("answer")
          #expect(words == #"["42"]"#)
        }
      }
      #expect(live.count == 5)
      let replay = ReplayTransport(try TrafficRecording(text: recorder.recording.text))
      #expect(try await converse(client(1, replay)) {} == live, "\(transports)")
      #expect(replay.mismatches.isEmpty && replay.unsent.isEmpty, "\(transports)")
    }
  }

  @Test(.needsPeers) func `pings of the server are answered in the replay`() async throws {
    func client(_ port: Int, _ sockets: any WebSocketTransport) throws -> SocketIOClient {
      SocketIOClient(
        SocketIOConfiguration(
          url: try #require(URL(string: "ws://127.0.0.1:\(port)")), reconnection: .never),
        sockets: sockets)
    }
    let recorder = RecordingTransport(CurlTransport(offline: OfflineMode()))
    try await Peer.with("socketio_server.py", [#"{"ping":1}"#]) { peer in
      let client = try client(peer.port, recorder)
      try await client.connect()
      for _ in 0..<2 { _ = try await peer.report("ping") }
      await client.disconnect()
    }
    #expect(recorder.recording.sockets[0].sent.contains(.text("3")))
    let replay = ReplayTransport(try TrafficRecording(text: recorder.recording.text))
    let again = try client(1, replay)
    try await again.connect()
    try await replay.wait { !$0.unsent.contains(.text("3")) }
    await again.disconnect()
    #expect(replay.unsent.isEmpty && replay.mismatches.isEmpty)
  }

  @Test(.needsPeers) func `the heartbeat of Phoenix goes by the clock`() async throws {
    func converse(
      _ port: Int, _ sockets: any WebSocketTransport, _ clock: SteppedClock,
      _ beaten: () async throws -> Void
    ) async throws -> [SendableValue] {
      let client = PhoenixClient(
        PhoenixConfiguration(
          url: try #require(URL(string: "ws://127.0.0.1:\(port)/socket")), reconnection: .never),
        sockets: sockets, clock: clock)
      try await client.connect()
      var told = [try await client.join("room:a", ["name": "me"])]
      for number in 0..<3 {
        try await clock.advance(toSleeperAfter: .seconds(30))
        try await beaten()
        told.append(try await client.request("room:a", "ping", ["x": .int(number)]))
      }
      await client.disconnect()
      return told
    }
    let clock = SteppedClock()
    let recorder = RecordingTransport(
      CurlTransport(offline: OfflineMode()), clock: ServiceClock(clock))
    let live = try await Peer.with("phoenix_server.py") { peer in
      try await converse(peer.port, recorder, clock) { _ = try await peer.report("heartbeat") }
    }
    let recording = try TrafficRecording(text: recorder.recording.text)
    #expect(recording.sockets[0].events.map(\.after).reduce(.zero, +) == .seconds(90))
    let later = SteppedClock()
    let replay = ReplayTransport(recording, clock: ServiceClock(later))
    let left = Guarded(3)
    let again = try await converse(1, replay, later) {
      // As the server reports it: the heartbeat has been sent.
      let count = left.withLock { left in
        left -= 1
        return left
      }
      try await replay.wait { replay in
        replay.unsent.count { "\($0)".contains("heartbeat") } == count
      }
    }
    #expect(again == live)
    #expect(replay.mismatches.isEmpty && replay.unsent.isEmpty)
  }

  // MARK: Order, time, and what does not fit

  @Test func `what was received comes when what was sent before it has been sent`() async throws {
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

  @Test func `messages and ends take the time that they took`() async throws {
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

  @Test func `ids of today come back, and numbers that are no ids have to be the same`()
    async throws
  {
    func id(_ digit: Int) -> String { "00000000-0000-4000-8000-00000000000\(digit)" }
    let recording = recording([
      .init(.sent(.text(#"["1","1","task:\#(id(1))_1","phx_join",{}]"#))),
      .init(.sent(.text(#"["2","2","task:\#(id(1))_2","phx_join",{}]"#))),
      .init(.received(.text(#"["1", "1", "task:\#(id(1))_1", "phx_reply", {"id":"\#(id(9))"}]"#))),
      .init(.sent(.text(#"["2","3","task:\#(id(1))_2","ask",{"n":150,"id":"req_\#(id(2))"}]"#))),
      .init(
        .received(.text(#"["2",null,"task:\#(id(1))_2","told",{"n":2,"id":"req_\#(id(2))"}]"#))),
    ])
    let replay = ReplayTransport(recording)
    let socket = try await replay.open(request())
    // In the other order, and with other numbers.
    try await socket.send(.text(#"["7","7","task:\#(id(5))_2","phx_join",{}]"#))
    try await socket.send(.text(#"["8","8","task:\#(id(5))_1","phx_join",{}]"#))
    #expect(
      try await socket.receive()
        == .text(#"["7", "7", "task:\#(id(5))_2", "phx_reply", {"id":"\#(id(9))"}]"#))
    try await socket.send(
      .text(#"["8","9","task:\#(id(5))_1","ask",{"id":"req_\#(id(6))","n":150}]"#))
    #expect(
      try await socket.receive()
        == .text(#"["8",null,"task:\#(id(5))_1","told",{"n":2,"id":"req_\#(id(6))"}]"#))
    let other = try await ReplayTransport(recording).open(request())
    let wrong = #"["2","3","task:\#(id(1))_2","ask",{"n":151,"id":"req_\#(id(2))"}]"#
    let error = await #expect(throws: TrafficError.self) { try await other.send(.text(wrong)) }
    guard case .notRecorded(let mismatch)? = error else { return }
    #expect(mismatch.differences.map(\.place) == ["message[4].n"])
    #expect(
      mismatch.description.hasSuffix(
        "and differs in\n  message[4].n:\n    recorded 150\n    sent     151"))
  }

  @Test func `numbers of acknowledgements are ids, other numbers are not`() async throws {
    let replay = ReplayTransport(
      recording([
        .init(.sent(.text(#"42/admin,1["sum",1]"#))), .init(.sent(.text(#"451-2["b",3]"#))),
        .init(.received(.text(#"43/admin,1["1"]"#))), .init(.received(.text(#"461-2[2]"#))),
        .init(.received(.text(#"421["question"]"#))), .init(.sent(.text(#"431["2"]"#))),
      ]))
    let socket = try await replay.open(request())
    try await socket.send(.text(#"451-7["b",3]"#))
    try await socket.send(.text(#"42/admin,8["sum",1]"#))
    #expect(try await socket.receive() == .text(#"43/admin,8["1"]"#))
    #expect(try await socket.receive() == .text(#"461-7[2]"#))
    // The server's own number.
    #expect(try await socket.receive() == .text(#"421["question"]"#))
    await #expect(throws: TrafficError.self) { try await socket.send(.text(#"432["2"]"#)) }
  }

  @Test func `another address, a message too many and one too large are refused`() async throws {
    let replay = ReplayTransport(
      recording([.init(.sent(.text("a"))), .init(.received(.text("123456")))]))
    let error = await #expect(throws: TrafficError.self) {
      _ = try await replay.open(request("wss://elsewhere/other"))
    }
    #expect(error?.localizedDescription.contains("GET wss://elsewhere/other was not") == true)
    // The host makes no difference.
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

  @Test func `what was cancelled while it was opened is opened for as long as allowed`()
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

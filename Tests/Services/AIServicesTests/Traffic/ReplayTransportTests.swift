import AIServiceTesting
import Foundation
import ServiceTestSupport
import SpeechConcurrency
import Testing

struct ReplayTransportTests {
  private func request(
    _ method: HTTPRequest.Method = .post, _ path: String = "/v1/chat", _ body: String? = nil
  ) throws -> HTTPRequest {
    let url = try #require(URL(string: "https://api.example.com\(path)"))
    return HTTPRequest(method, url, body: body.map { Data($0.utf8) }, timeouts: .forTests)
  }

  private func exchange(
    _ method: String = "POST", _ path: String = "/v1/chat", _ body: String? = nil,
    says text: String
  ) -> RecordedExchange {
    RecordedExchange(
      .init(method, "http://127.0.0.1:1\(path)", body: body.map { Data($0.utf8) }),
      answer: .init(200), pieces: [.init(Data(text.utf8))])
  }

  private func text(_ replay: ReplayTransport, _ request: HTTPRequest) async throws -> String {
    String(decoding: try await replay.send(request).body.collected(), as: UTF8.self)
  }

  @Test func `each recorded exchange answers once, equal ones in order`() async throws {
    let replay = ReplayTransport(
      TrafficRecording([
        exchange("POST", "/v1/chat", #"{"a":1,"b":[2]}"#, says: "one"),
        exchange("GET", "/v1/models?page=2", says: "models"),
        exchange("POST", "/v1/chat", #"{"a":1,"b":[2]}"#, says: "two"),
        exchange("GET", "/v1/models", says: "never"),
      ]))
    #expect(try await text(replay, request(.get, "/v1/models?page=2")) == "models")
    #expect(try await text(replay, request(.post, "/v1/chat", #"{"b":[2],"a":1}"#)) == "one")
    #expect(try await text(replay, request(.post, "/v1/chat", #"{ "b":[2], "a":1.0 }"#)) == "two")
    let again = try request(.post, "/v1/chat", #"{"a":1,"b":[2]}"#)
    let error = await #expect(throws: TrafficError.self) { _ = try await replay.send(again) }
    #expect(
      error?.localizedDescription.hasPrefix(
        "POST https://api.example.com/v1/chat was recorded 2 times, and is asked for once more.")
        == true)
    #expect(replay.unasked.map(\.request.url) == ["http://127.0.0.1:1/v1/models"])
  }

  @Test func `an unrecorded request is reported with the nearest recorded one`() async throws {
    let recorded =
      #"{"model":"m","messages":[{"role":"user","content":"Turn on the light"#
      + #" in the kitchen, please, and the radio."}],"stream":true}"#
    let asked =
      #"{"model":"m","messages":[{"role":"user","content":"Turn on the light"#
      + #" in the kitten, please, and the radio."}],"seed":7}"#
    let replay = ReplayTransport(
      TrafficRecording([
        exchange("GET", "/v1/models", says: ""), exchange("POST", "/v1/speech", asked, says: ""),
        exchange("POST", "/v1/chat", recorded, says: ""),
      ]))
    await #expect(throws: TrafficError.self) {
      _ = try await replay.send(request(.post, "/v1/chat", asked))
    }
    let mismatch = try #require(replay.mismatches.first)
    #expect(
      mismatch.description == """
        POST https://api.example.com/v1/chat was not recorded. The nearest is number 3, POST \
        http://127.0.0.1:1/v1/chat, and differs in
          body.messages[0].content:
            recorded “Turn on the light in the kitchen, please, and the radio.”
            asked    “Turn on the light in the kitten, please, and the radio.”
          body.seed:
            recorded nothing
            asked    7
          body.stream:
            recorded true
            asked    nothing
        """)
    #expect(replay.unasked.count == 3)
    let empty = ReplayTransport(TrafficRecording())
    let error = await #expect(throws: TrafficError.self) {
      _ = try await empty.send(request(.get, "/"))
    }
    #expect(error?.localizedDescription.contains("nothing is left in the recording") == true)
  }

  @Test func `a provider reports a request that was not recorded`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let replay = ReplayTransport(TrafficRecording())
    let provider = try await Vendor.openAI.provider(
      at: server.url(), through: .init(transport: replay))
    guard case .failure(let error) = await provider.generate(prompt: "Hi", parameters: [:]) else {
      Issue.record("it succeeded")
      return
    }
    #expect(error.message.contains("/v1/chat/completions was not recorded"))
    #expect(replay.mismatches.count == 1, "it was tried again")
    #expect(server.acceptedConnections == 0)
  }

  @Test func `in recorded order, only the next request matches`() async throws {
    let recording = TrafficRecording([
      exchange("GET", "/one", says: "1"), exchange("GET", "/two", says: "2"),
    ])
    let replay = ReplayTransport(recording, order: .asRecorded)
    await #expect(throws: TrafficError.self) { _ = try await replay.send(request(.get, "/two")) }
    #expect(replay.mismatches[0].nearest?.url.hasSuffix("/one") == true)
    #expect(try await text(replay, request(.get, "/one")) == "1")
    #expect(try await text(replay, request(.get, "/two")) == "2")
  }

  @Test func `pieces take their recorded time`() async throws {
    let skipping = SkippingClock()
    let transport = RecordingTransport(
      ScriptedTransport(
        pieces: [Data("a".utf8), Data("b".utf8)],
        waits: [.milliseconds(120), .milliseconds(30), .milliseconds(1_500), .microseconds(10)],
        clock: skipping),
      clock: ServiceClock(skipping))
    _ = try await transport.send(request()).body.collected()
    let recording = try TrafficRecording(text: transport.recording.text)
    #expect(recording.exchanges[0].answer?.after == .milliseconds(120))
    #expect(
      recording.exchanges[0].pieces.map(\.after) == [.milliseconds(30), .milliseconds(1_500)])
    #expect(recording.exchanges[0].endAfter == .microseconds(10))

    let clock = SteppedClock()
    let replay = ReplayTransport(recording, clock: ServiceClock(clock))
    let read = Task { try await text(replay, request()) }
    try await clock.advance(toSleeperAfter: .milliseconds(120))
    try await clock.advance(toSleeperAfter: .milliseconds(30))
    try await clock.advance(toSleeperAfter: .milliseconds(1_500))
    try await clock.advance(toSleeperAfter: .microseconds(10))
    #expect(try await read.value == "ab")

    let impatient = SkippingClock()
    let late = ReplayTransport(recording, clock: ServiceClock(impatient))
    var hasty = try request()
    hasty.timeouts.idle = .seconds(1)
    let response = try await late.send(hasty)
    await #expect(throws: HTTPFailure.timedOut(.idle)) { _ = try await response.body.collected() }
    #expect(impatient.waits == [.milliseconds(120), .milliseconds(30), .seconds(1)])
  }

  @Test func `faults are replayed`() async throws {
    let server = try LoopbackServer()
    let transport = RecordingTransport(UnhurriedTransport())
    func outcome(_ transport: any HTTPTransport, _ path: String) async -> String {
      var text = ""
      do {
        let request = HTTPRequest(.get, server.url(path), timeouts: .forTests)
        let response = try await transport.send(request)
        text += "\(response.status) \(response.headers["X-A"] ?? "") "
        for try await piece in response.body { text += String(decoding: piece, as: UTF8.self) }
        return text + " complete"
      } catch {
        return text + " \(error)"
      }
    }
    server.reply(to: "/cut") { _ in .text("a long answer", headers: ["X-A": "b"]).cut(after: 80) }
    server.reply(to: "/closed") { _ in .closed }
    server.reply(to: "/failing") { _ in .json("{}", status: 503) }
    server.reply(to: "/garbage") { _ in ScriptedReply(raw: [.send("SMTP ready\r\n"), .close]) }
    let paths = ["/cut", "/closed", "/failing", "/garbage", "/nobody"]
    var live: [String] = []
    for path in paths {
      if path == "/nobody" { server.stop() }
      live.append(await outcome(transport, path))
    }
    #expect(live[0].contains("truncated"))
    #expect(live[4].contains("unreachable"))
    let replay = ReplayTransport(try TrafficRecording(text: transport.recording.text))
    var replayed: [String] = []
    for path in paths { replayed.append(await outcome(replay, path)) }
    #expect(replayed == live)
  }

  @Test func `a recorded cancellation waits for the next one`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply { _ in .silent }
    let transport = RecordingTransport(UnhurriedTransport())
    let question = HTTPRequest(.get, server.url("/"), timeouts: .forTests)
    let live = Task { try await transport.send(question) }
    try await server.wait { $0.requests.count == 1 }
    live.cancel()
    await #expect(throws: CancellationError.self) { _ = try await live.value }
    let recording = try TrafficRecording(text: transport.recording.text)
    #expect(recording.exchanges.map(\.end) == [.cancelled])

    let clock = SteppedClock()
    let replay = ReplayTransport(recording, clock: ServiceClock(clock))
    let replayed = Task { try await replay.send(question) }
    try await replay.wait { $0.unasked.isEmpty }
    replayed.cancel()
    await #expect(throws: CancellationError.self) { _ = try await replayed.value }
    // Without a cancellation the result is that of a silent server.
    let patient = ReplayTransport(recording, clock: ServiceClock(SkippingClock()))
    await #expect(throws: HTTPFailure.timedOut(.firstByte)) { _ = try await patient.send(question) }
  }

  @Test func `an abandoned reader is recorded`() async throws {
    let transport = RecordingTransport(
      ScriptedTransport(pieces: [Data("a".utf8), Data("b".utf8)]))
    do {
      var pieces = try await transport.send(request()).body.makeAsyncIterator()
      _ = try await pieces.next()
    }
    let recording = try TrafficRecording(text: transport.recording.text)
    #expect(recording.exchanges[0].end == .abandoned)
    #expect(recording.exchanges[0].pieces.count == 1)
    let replay = ReplayTransport(recording)
    var pieces = try await replay.send(request()).body.makeAsyncIterator()
    #expect(try await pieces.next() == Data("a".utf8))
    await #expect(
      throws: TrafficError.endsHere("POST https://api.example.com/v1/chat")
    ) { _ = try await pieces.next() }
  }

  @Test func `an answer beyond the limit of the request is rejected`() async throws {
    let replay = ReplayTransport(TrafficRecording([exchange("GET", "/", says: "12345")]))
    var question = try request(.get, "/")
    question.responseLimit = 4
    let response = try await replay.send(question)
    await #expect(throws: HTTPFailure.tooLarge(limit: 4)) {
      _ = try await response.body.collected()
    }
  }

  @Test func `each of a thousand concurrent requests gets its own answer`() async throws {
    let recording = TrafficRecording(
      (0..<1_000).map { exchange("POST", "/v1/chat", "{\"number\":\($0)}", says: "\($0)") })
    let replay = ReplayTransport(recording)
    let wrong = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let answer = try? await text(replay, request(.post, "/v1/chat", "{\"number\":\(number)}"))
          return answer != "\(number)"
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(wrong == 0)
    #expect(replay.unasked.isEmpty)
  }
}

import AIServiceTesting
import Foundation
import ServiceTestSupport
import TestSupport
import Testing

struct TrafficRecordingTests {
  private static let recording = TrafficRecording([
    RecordedExchange(
      .init(
        "POST", "https://a.b/c?d=e",
        headers: [.init("Accept", "x"), .init("accept", "y \"z\"")],
        body: Data("{\"text\":\"grüß\\n日本 🙂\u{1}\u{2028}\"}".utf8)),
      answer: .init(
        200, headers: [.init("Content-Type", "text/plain")], after: .milliseconds(1_250)),
      pieces: [
        .init(Data("a\r\n\t\u{B}".utf8), after: .microseconds(1)), .init(Data([0, 1, 0xFF])),
        .init(Data("ü".utf8).prefix(1)), .init(Data("ü".utf8).suffix(1)), .init(Data()),
        .init(Data("\u{7F}".utf8)),
      ], endAfter: .seconds(3)),
    RecordedExchange(.init("GET", "https://a.b/"), end: .cancelled),
    RecordedExchange(
      .init("GET", "https://a.b/", body: Data()), answer: .init(204), end: .abandoned),
    RecordedExchange(
      .init("DELETE", "https://a.b/"), end: .failed(.init(.timedOut, "firstByte")),
      endAfter: .seconds(60)),
  ])

  private static let sockets = TrafficRecording(sockets: [
    RecordedSocket(
      .init("GET", "wss://a.b/c?d=e", headers: [.init("Sec-WebSocket-Protocol", "x, y")]),
      opening: .init(subprotocol: "x", after: .milliseconds(20)),
      events: [
        .init(.sent(.text("grüß\n\u{0}\u{7F}")), after: .microseconds(1)),
        .init(.received(.binary(Data([0, 1, 0xFF])))), .init(.sent(.binary(Data()))),
        .init(.received(.text(""))), .init(.closing(.init(code: 4_000, reason: "bye"))),
      ], end: .closed(.init()), endAfter: .seconds(1)),
    RecordedSocket(
      .init("GET", "ws://a.b/"), end: .refused(.init(status: 403, body: "not you"))),
    RecordedSocket(.init("GET", "ws://a.b/"), end: .cancelled),
    RecordedSocket(.init("GET", "ws://a.b/"), opening: .init()),
    RecordedSocket(
      .init("GET", "ws://a.b/"), opening: .init(),
      end: .failed(.init(.interrupted, "the server hung up")), endAfter: .seconds(60)),
  ])

  @Test func `a WebSocket is a line that is read as it was written`() throws {
    let text = Self.sockets.text
    let lines = text.split(separator: "\n")
    #expect(lines.count == 6)
    for part in [
      #"{"after":1e-06,"kind":{"sent":"grüß\n\u0000"#, #"{"after":0,"kind":{"received64":"AAH/"}}"#,
      #"{"after":0,"kind":{"sent64":""}}"#, #"{"closing":{"code":4000,"reason":"bye"}}"#,
      #""end":{"closed":{"code":1000,"reason":""}},"endAfter":1,"#,
      #""opening":{"after":0.02,"subprotocol":"x"}"#,
      #""headers":[["Sec-WebSocket-Protocol","x, y"]],"method":"GET","url":"wss://a.b/c?d=e""#,
    ] {
      #expect(lines[1].contains(part), "\(part)")
    }
    #expect(lines[2].contains(#""end":{"refused":{"body":"not you","status":403}}"#))
    #expect(lines[3].contains(#""end":"cancelled""#))
    for line in lines {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    #expect(try TrafficRecording(text: text) == Self.sockets)
    let both = TrafficRecording(Self.recording.exchanges, sockets: Self.sockets.sockets)
    #expect(try TrafficRecording(text: both.text) == both)
  }

  @Test func `an exchange is a line that is read as it was written`() throws {
    let text = Self.recording.text
    let lines = text.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[0] == #"{"traffic":2}"#)
    for part in [
      #""answer":{"after":1.25,"headers":[["Content-Type","text/plain"]],"status":200}"#,
      #"{"after":0,"bytes":{"base64":"AAH/"}}"#, #""end":"complete","endAfter":3"#,
    ] {
      #expect(lines[1].contains(part), "\(part)")
    }
    #expect(
      lines[4].contains(
        #""end":{"failed":{"detail":"firstByte","kind":"timedOut"}},"endAfter":60"#))
    for line in lines {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    #expect(try TrafficRecording(text: text) == Self.recording)
    #expect(try TrafficRecording(text: text.replacing("\n", with: "\r\n\r\n")) == Self.recording)
    #expect(try TrafficRecording(text: text).text == text)
  }

  @Test func `times may be left out of a line`() throws {
    let text = """
      {"traffic":2}
      {"exchange":{"request":{"method":"GET","url":"u","headers":[]},"pieces":[],"end":"cancelled"}}
      """
    let exchange = RecordedExchange(.init("GET", "u"), end: .cancelled)
    #expect(try TrafficRecording(text: text) == TrafficRecording([exchange]))
  }

  @Test(arguments: RecordedFailure.Kind.allCases)
  func `every failure is read as it was written`(_ kind: RecordedFailure.Kind) throws {
    let detail = kind == .timedOut ? "idle" : kind == .tooLarge ? "12" : "a “text”"
    let recording = TrafficRecording([
      RecordedExchange(.init("GET", "http://a/"), end: .failed(.init(kind, detail)))
    ])
    #expect(try TrafficRecording(text: recording.text) == recording)
    #expect(RecordedFailure(kind, detail).failure != nil)
  }

  /// A valid request, for lines with another error.
  private static let request = #""request":{"method":"GET","url":"u","headers":[]}"#

  @Test(arguments: [
    (#"{"exchnge":{}}"#, "“socket” is missing."),
    ("hello", "The line is not a JSON object of an exchange or a socket."),
    (
      #"{"exchange":{"request":{"method":"GET","headers":[]},"pieces":[],"end":"cancelled"}}"#,
      "“url” is missing in exchange.request."
    ),
    (
      #"{"exchange":{"request":{"method":"GET","url":7}}}"#, "exchange.request.url: "
    ),
    (
      #"{"exchange":{"request":{"method":"GET","url":"u","headers":[["a"]]}}}"#,
      "exchange.request.headers[0]: A header field is a list of its name and its value."
    ),
    ("{\"exchange\":{\(request)", "The line is not a JSON object"),
    (
      "{\"exchange\":{\(request),\"pieces\":[],\"end\":\"cancelled\",\"endAfter\":-1}}",
      "exchange.endAfter: A time is a number of seconds, 0 or more."
    ),
    (
      #"{"exchange":{"request":{"method":"G","url":"u","headers":[],"body":{"base64":"?"}}}}"#,
      "exchange.request.body.base64: "
    ),
    (
      "{\"exchange\":{\(request),\"pieces\":[],\"end\":\"done\"}}",
      "exchange.end: “done” is not one of “abandoned”, “cancelled”, “complete”."
    ),
    (
      "{\"exchange\":{\(request),\"pieces\":[],"
        + #""end":{"failed":{"kind":"x","detail":""}}}}"#,
      "exchange.end.failed.kind: "
    ),
    (
      "{\"socket\":{\(request),\"opening\":{},\"events\":[{\"kind\":{}}],\"end\":\"abandoned\"}}",
      "socket.events[0].kind: An event is “sent”, “received” or “closing”."
    ),
    (
      "{\"socket\":{\(request),\"events\":[],\"end\":\"complete\"}}",
      "socket.end: “complete” is not one of “abandoned”, “cancelled”."
    ),
  ])
  func `a damaged line is reported with its place`(_ line: String, _ message: String) throws {
    let error = #expect(throws: TrafficError.self) {
      try TrafficRecording(text: "{\"traffic\":2}\n\n\(line)\n")
    }
    guard case .malformed(let diagnostic)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(diagnostic.description.hasPrefix("3: " + message), "\(diagnostic)")
  }

  @Test func `a recording begins with its format`() {
    for text in ["", "\n", "{\"exchange\":{\(Self.request),\"pieces\":[],\"end\":\"cancelled\"}}"] {
      let error = #expect(throws: TrafficError.self) { try TrafficRecording(text: text) }
      #expect(error?.localizedDescription.contains("begins with {\"traffic\":2}") == true)
    }
    for format in [0, 1, 3] {
      #expect(throws: TrafficError.otherFormat(format)) {
        try TrafficRecording(text: "{\"traffic\":\(format),\"new\":true}\n{\"what\":1}")
      }
    }
  }

  @Test func `bytes that are not text are reported`() throws {
    let data = Data("{\"traffic\":2}\n{\"exchange\":\"".utf8) + Data([0xFF]) + Data("\"}".utf8)
    let error = #expect(throws: TrafficError.self) { try TrafficRecording(data: data) }
    guard case .malformed(let diagnostic)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(diagnostic.line == 2)
  }

  @Test func `a file is replaced completely, and errors give its name`() throws {
    let workshop = try TrafficWorkshop()
    try Self.recording.write(to: workshop.file)
    try TrafficRecording().write(to: workshop.file)
    #expect(try TrafficRecording(contentsOf: workshop.file) == TrafficRecording())
    let folder = workshop.file.deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["traffic.jsonl"])
    let mode = try FileManager.default.attributesOfItem(atPath: workshop.file.path)[
      .posixPermissions]
    #expect(mode as? Int == 0o600)
    try Data("{\"traffic\":2}\n{\"x\":1}".utf8).write(to: workshop.file)
    let error = #expect(throws: TrafficError.self) {
      try TrafficRecording(contentsOf: workshop.file)
    }
    #expect(error?.localizedDescription.contains("traffic.jsonl:2: “socket” is missing.") == true)
    #expect(throws: TrafficError.self) {
      try TrafficRecording(contentsOf: workshop.folder.appending(path: "none"))
    }
    #expect(throws: TrafficError.self) {
      try Self.recording.write(to: workshop.file.appending(path: "no/folder"))
    }
  }

  @Test func `arbitrary files are read, or reported with a line`() async {
    var hostile = HostileBytes.json(
      [Self.recording.text, Self.sockets.text], seed: 4_720)
    for number in 0..<Endurance.count(full: 3_000, short: 300) {
      if number % 100 == 0 { await Task.yield() }
      let bytes = Data(hostile.next())
      do throws(TrafficError) {
        let recording = try TrafficRecording(data: bytes)
        // What is read can be written and read again.
        #expect((try? TrafficRecording(text: recording.text)) == recording)
      } catch {
        guard case .malformed(let diagnostic) = error else { continue }
        #expect(diagnostic.line >= 1 && !diagnostic.message.isEmpty)
      }
    }
  }
}

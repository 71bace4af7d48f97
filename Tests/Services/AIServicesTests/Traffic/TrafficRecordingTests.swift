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

  @Test func `a WebSocket is written in lines, too`() throws {
    let text = Self.sockets.text
    let lines = text.split(separator: "\n")
    #expect(lines.count == 19)
    #expect(
      lines[1]
        == #"{"socket":"wss://a.b/c?d=e","headers":[["Sec-WebSocket-Protocol","x, y"]]}"#)
    #expect(lines[2] == #"{"opened":"x","after":0.02}"#)
    #expect(lines[3] == #"{"sent":"grüß\n\u0000\u007f","after":0.000001}"#)
    #expect(lines[4] == #"{"received64":"AAH/","after":0}"#)
    #expect(lines[7] == #"{"closing":4000,"reason":"bye","after":0}"#)
    #expect(lines[8] == #"{"closed":1000,"reason":"","after":1}"#)
    #expect(lines[10] == #"{"refused":403,"body":"not you","after":0}"#)
    for line in lines {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    #expect(try TrafficRecording(text: text) == Self.sockets)
    let both = TrafficRecording(Self.recording.exchanges, sockets: Self.sockets.sockets)
    #expect(try TrafficRecording(text: both.text) == both)
  }

  @Test func `what is written is what was recorded, a line for each thing`() throws {
    let text = Self.recording.text
    let lines = text.split(separator: "\n")
    #expect(lines.count == 17)
    #expect(lines[0] == #"{"traffic":1}"#)
    #expect(
      lines[2] == #"{"answer":200,"after":1.25,"headers":[["Content-Type","text/plain"]]}"#)
    #expect(lines[4] == #"{"piece64":"AAH/","after":0}"#)
    #expect(lines[9] == #"{"end":"complete","after":3}"#)
    #expect(lines[16] == #"{"end":"timedOut","detail":"firstByte","after":60}"#)
    for line in lines {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    #expect(try TrafficRecording(text: text) == Self.recording)
    #expect(try TrafficRecording(text: text.replacing("\n", with: "\r\n\r\n")) == Self.recording)
    #expect(try TrafficRecording(text: text).text == text)
  }

  @Test(arguments: RecordedFailure.Kind.allCases)
  func `every failure is read as it was`(_ kind: RecordedFailure.Kind) throws {
    let detail = kind == .timedOut ? "idle" : kind == .tooLarge ? "12" : "a “text”"
    let recording = TrafficRecording([
      RecordedExchange(.init("GET", "http://a/"), end: .failed(.init(kind, detail)))
    ])
    #expect(try TrafficRecording(text: recording.text) == recording)
    #expect(RecordedFailure(kind, detail).failure != nil)
  }

  @Test(arguments: [
    ("", "1:1: The file is empty"),
    ("hello", "1:1: A value is expected here, not “hello”."),
    ("[1]", "1:1: A line has to be an object"),
    (#"{"end":"complete"}"#, "1:2: A recording has to begin with"),
    (
      "{\"traffic\":1}\n{\"requst\":\"GET\"}",
      "2:2: “requst” is not known here. Did you mean “request”?"
    ),
    ("{\"traffic\":1}\n\n{\"request\":\"GET\"}", "3:2: “url” is missing in this line."),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":7}",
      "2:24: “url” has to be a text, not a number."
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GÄT\",\"url\":\"ü\",\"heders\":[]}",
      "2:28: “heders” is not known here. Did you mean “headers”?"
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\",\"headers\":[[\"a\"]]}",
      "2:39: A header has to be a list of its name and its value."
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\"",
      "2:27: The line ends where a “}” is expected."
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\"} x",
      "2:29: There is something behind the end"
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u}",
      "2:24: The text that begins here has no end."
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"\\x\",\"url\":\"u\"}",
      "2:12: The text that begins here holds an escape"
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\"}\n",
      "3:1: The exchange of line 2 has no end; the file was cut off."
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\"}\n{\"request\":\"GET\",\"url\":\"u\"}",
      "3:2: A request begins before the end of the one in line 2."
    ),
    (
      "{\"traffic\":1}\n{\"piece\":\"a\"}", "2:2: A piece has to follow upon the head of an answer."
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\"}\n{\"answer\":20,\"after\":1}",
      "3:11: A status has three digits."
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\"}\n{\"answer\":200,\"after\":-1}",
      "3:23: “after” has to be a time in seconds, 0 or more."
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\",\"body64\":\"?\"}",
      "2:37: This is not base 64."
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\"}\n{\"end\":\"truncted\"}",
      "3:8: “truncted” is not known here. Did you mean “truncated”?"
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\"}\n{\"end\":\"timedOut\",\"detail\":\"x\"}",
      "3:2: The detail does not fit “timedOut”."
    ),
    (
      "{\"traffic\":1}\n{\"sent\":\"a\"}", "2:2: “sent” has to follow upon an opened socket."
    ),
    (
      "{\"traffic\":1}\n{\"socket\":\"u\"}\n{\"piece\":\"a\"}",
      "3:2: A piece has to follow upon the head of an answer."
    ),
    (
      "{\"traffic\":1}\n{\"socket\":\"u\"}\n{\"closed\":1000}",
      "3:2: What was not opened is not closed."
    ),
    (
      "{\"traffic\":1}\n{\"socket\":\"u\"}\n{\"opened\":\"\"}\n{\"closing\":7}",
      "4:12: A code for closing is a number from 1000 on."
    ),
    (
      "{\"traffic\":1}\n{\"socket\":\"u\"}\n{\"opened\":\"\"}\n{\"opened\":\"\"}",
      "4:2: “opened” has to follow upon its socket."
    ),
    (
      "{\"traffic\":1}\n{\"socket\":\"u\"}\n{\"end\":\"complete\"}",
      "3:8: “complete” is not known here."
    ),
    (
      "{\"traffic\":1}\n{\"request\":\"GET\",\"url\":\"u\"}\n{\"refused\":403}",
      "3:2: Only a socket ends with “refused”."
    ),
    (
      "{\"traffic\":1}\n{\"socket\":\"u\"}\n{\"socket\":\"u\"}",
      "3:2: A socket begins before the end of the one in line 2."
    ),
  ])
  func `what is wrong is told with its place`(_ text: String, _ message: String) throws {
    let error = #expect(throws: TrafficError.self) { try TrafficRecording(text: text) }
    guard case .malformed(let fault)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.description.hasPrefix(message), "\(fault)")
  }

  @Test func `a later format is told from a damaged file`() {
    #expect(throws: TrafficError.newerFormat(2)) {
      try TrafficRecording(text: "{\"traffic\":2,\"new\":true}\n{\"what\":1}")
    }
    #expect(throws: TrafficError.self) { try TrafficRecording(text: "{\"traffic\":0}") }
  }

  @Test func `bytes that are not text have their place, too`() throws {
    let data = Data("{\"traffic\":1}\n{\"request\":\"".utf8) + Data([0xFF]) + Data("\"}".utf8)
    let error = #expect(throws: TrafficError.self) { try TrafficRecording(data: data) }
    #expect(error?.localizedDescription.contains("2:13: There are bytes here") == true)
  }

  @Test func `a file is replaced as a whole, and its name is told`() throws {
    let workshop = try TrafficWorkshop()
    try Self.recording.write(to: workshop.file)
    try TrafficRecording().write(to: workshop.file)
    #expect(try TrafficRecording(contentsOf: workshop.file) == TrafficRecording())
    let folder = workshop.file.deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["traffic.jsonl"])
    let mode = try FileManager.default.attributesOfItem(atPath: workshop.file.path)[
      .posixPermissions]
    #expect(mode as? Int == 0o600)
    try Data("{\"traffic\":1}\n{\"x\":1}".utf8).write(to: workshop.file)
    let error = #expect(throws: TrafficError.self) {
      try TrafficRecording(contentsOf: workshop.file)
    }
    #expect(error?.localizedDescription.contains("traffic.jsonl:2:2: “x” is not known") == true)
    #expect(throws: TrafficError.self) {
      try TrafficRecording(contentsOf: workshop.folder.appending(path: "none"))
    }
    #expect(throws: TrafficError.self) {
      try Self.recording.write(to: workshop.file.appending(path: "no/folder"))
    }
  }

  @Test func `files of anybody's making end in a recording or in a place`() async {
    var hostile = HostileBytes.json(
      [Self.recording.text, Self.sockets.text], seed: 4_720)
    for number in 0..<Fuzz.rounds(3_000) {
      if number % 100 == 0 { await Task.yield() }
      let bytes = Data(hostile.next())
      do throws(TrafficError) {
        let recording = try TrafficRecording(data: bytes)
        // What is read can be written and read again.
        #expect((try? TrafficRecording(text: recording.text)) == recording)
      } catch {
        guard case .malformed(let fault) = error else { continue }
        #expect(fault.line >= 1 && fault.column >= 1 && !fault.message.isEmpty)
      }
    }
  }
}

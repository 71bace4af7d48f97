import Foundation
import ServiceTransport
import Testing

struct ServerSentEventParserTests {
  private func events(
    _ text: String, lineLimit: Int = 1 << 20, eventLimit: Int = 1 << 20
  ) throws -> [ServerSentEvent] {
    var parser = ServerSentEventParser(lineLimit: lineLimit, eventLimit: eventLimit)
    parser.append(Data(text.utf8))
    return try parser.rest()
  }

  @Test(arguments: [
    // The examples in the standard.
    ("data: YHOO\ndata: +2\ndata: 10\n\n", ["YHOO\n+2\n10"]),
    (
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      ["first event", "second event", " third event"]
    ),
    ("data\n\ndata\ndata\n\ndata:\n", ["", "\n"]),
    ("data:test\n\ndata: test\n\n", ["test", "test"]),
    // Line ends.
    ("data: a\r\ndata: b\r\n\r\n", ["a\nb"]),
    ("data: a\rdata: b\r\rdata: c\r\r", ["a\nb", "c"]),
    ("data: a\r\n\rdata: b\n\r\ndata: c\r\n\n", ["a", "b", "c"]),
    // Missing and invalid fields.
    ("\n\n\r\n", []),
    ("event: x\n\n", []),
    ("datum: a\nDATA: b\n data: c\ndata : d\n\n", []),
    ("data: cut off", []),
    ("data: cut off\n", []),
    (":\n:::\ndata: a:b: c\n\n", ["a:b: c"]),
    // A byte order mark at the start, and elsewhere.
    ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", ["a"]),
    ("\u{FEFF}\u{FEFF}data: a\n\n", []),
  ])
  func `events follow the standard`(_ text: String, _ data: [String]) throws {
    #expect(try events(text).map(\.data) == data)
  }

  @Test func `an event has its own type and the last identifier`() throws {
    let events = try events(
      "event: add\ndata: 1\nid: one\n\ndata: 2\n\nid: two\n\ndata: 3\n\nid: a\0b\ndata: 4\n\n"
        + "id\nevent:\ndata: 5\n\n")
    #expect(
      events == [
        ServerSentEvent(event: "add", data: "1", id: "one"),
        ServerSentEvent(data: "2", id: "one"), ServerSentEvent(data: "3", id: "two"),
        ServerSentEvent(data: "4", id: "two"), ServerSentEvent(data: "5", id: ""),
      ])
  }

  @Test func `invalid UTF-8 is replaced`() throws {
    var parser = ServerSentEventParser()
    parser.append(Data("data: a".utf8) + [0xFF, 0xC3] + Data("b\n\n".utf8))
    #expect(try parser.rest().map(\.data) == ["a\u{FFFD}\u{FFFD}b"])
  }

  @Test func `lines and events are limited, and earlier events stay valid`() throws {
    var parser = ServerSentEventParser(lineLimit: 20, eventLimit: 10)
    parser.append(Data("data: good\n\ndata: 678901\ndata: 6789\n\n".utf8))
    #expect(try parser.next()?.data == "good")
    for _ in 0..<2 {
      #expect(throws: HTTPFailure.tooLarge(limit: 10)) { try parser.next() }
    }
    parser = ServerSentEventParser(lineLimit: 20)
    parser.append(Data("data: a\n\n: 3456789012345678901".utf8))
    #expect(try parser.next()?.data == "a")
    #expect(throws: HTTPFailure.tooLarge(limit: 20)) { try parser.next() }
    #expect(try events(": 345678901234567890\ndata: b\n\n", lineLimit: 20).count == 1)
  }

  @Test func `any split of the bytes gives the same events`() throws {
    let stream = Data(
      "\u{FEFF}event: ü\r\ndata: 日本\r\n: x\r\rdata: a\ndata: 🙂b\n\nid: 7\rdata\r\n\r\ndata: c\n\n"
        .utf8)
    var whole = ServerSentEventParser()
    whole.append(stream)
    let expected = try whole.rest()
    #expect(expected.count == 4)
    for first in 0...stream.count {
      for second in first...stream.count {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        for piece in [stream[..<first], stream[first..<second], stream[second...]] {
          parser.append(piece)
          events += try parser.rest()
        }
        #expect(events == expected)
      }
    }
  }

  @Test func `pieces may be added before events are read`() throws {
    var parser = ServerSentEventParser()
    for byte in Data("data: a\r\n\r\ndata: b\n\n".utf8) { parser.append(Data([byte])) }
    #expect(try parser.rest().map(\.data) == ["a", "b"])
  }

  /// Quadratic work would take sixteen times as long for four times the bytes.
  @Test(arguments: ["data: x\n", "\r", "x", ":\r", "data\r\n", "data: x\n\n", "\n\r"])
  func `parsing takes linear time`(_ unit: String) {
    for size in [16 << 10, 1_000] {
      let small = work(unit, bytes: 64 << 10, piecesOf: size)
      let large = work(unit, bytes: 256 << 10, piecesOf: size)
      // The constant is for work too short to be measured.
      #expect(large < small * 10 + 0.01)
    }
  }

  /// The processor time of the thread in seconds; the better of two, because others share its
  /// caches.
  private func work(_ unit: String, bytes: Int, piecesOf size: Int) -> Double {
    let stream = Data(String(repeating: unit, count: bytes / unit.utf8.count).utf8)
    let seconds = (0..<2).map { _ in
      let start = threadSeconds()
      var parser = ServerSentEventParser(lineLimit: 2 << 20, eventLimit: 2 << 20)
      for start in stride(from: 0, to: stream.count, by: size) {
        parser.append(stream[start..<min(stream.count, start + size)])
        _ = try? parser.rest()
      }
      return threadSeconds() - start
    }
    return seconds.min() ?? 0
  }

  private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension ServerSentEventParser {
  fileprivate mutating func rest() throws(HTTPFailure) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    while let event = try next() { events.append(event) }
    return events
  }
}

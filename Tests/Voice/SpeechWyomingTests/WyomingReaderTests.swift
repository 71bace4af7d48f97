import Foundation
import TestSupport
import Testing

@testable import SpeechWyoming

struct WyomingReaderTests {
  private func events(_ pieces: [Data]) -> (events: [WyomingEvent], reason: String?) {
    var reader = WyomingReader()
    var events: [WyomingEvent] = []
    do throws(WyomingReader.FormatError) {
      for piece in pieces {
        reader.append(piece)
        while let event = try reader.next() { events.append(event) }
      }
      return (events, nil)
    } catch {
      return (events, error.reason)
    }
  }

  private func events(_ text: String) -> (events: [WyomingEvent], reason: String?) {
    events([Data(text.utf8)])
  }

  @Test func `events are read as they were written, wherever they are cut`() {
    let sent = [
      WyomingEvent(type: "describe"),
      WyomingEvent("transcribe", WyomingMessage.Transcribe(name: nil, language: "de")),
      WyomingEvent(
        "audio-chunk", WyomingMessage.Audio(rate: 16_000, width: 2, channels: 1),
        payload: Data((0..<2_000).map { UInt8(truncatingIfNeeded: $0) })),
      WyomingEvent("transcript", WyomingMessage.Text(text: "Größe\nand “marks”\u{0}")),
      WyomingEvent(type: "audio-stop", payload: Data("\n\n{".utf8)),
    ]
    let bytes = Data(sent.map(\.encoded).joined())
    #expect(events([bytes]).events == sent)
    #expect(events(bytes.map { Data([$0]) }).events == sent)
  }

  @Test func `data of the header and of the block are merged, and the block wins`() throws {
    let (read, reason) = events(
      #"{"type":"x","data":{"text":"a","b":[1,{}]},"data_length":12,"payload_length":null}"#
        + "\n" + #"{"text":"c"}"# + #"{"type":"y","data":{"text":"d"},"payload_length":0.0}"# + "\n"
    )
    #expect(reason == nil)
    try #require(read.count == 2)
    #expect(read.map { $0.value(as: WyomingMessage.Text.self)?.text } == ["c", "d"])
    #expect(String(decoding: read[0].data, as: UTF8.self).contains(#""b":[1,{}]"#))
  }

  @Test(
    arguments: [
      ("HTTP/1.1 400 Bad Request\r\n", "instead of an event"),
      ("\n", "instead of an event"), ("[]\n", "instead of an event"),
      (#"{"type":7}"# + "\n", "instead of an event"),
      (#"{"type":"x","data_length":-1}"# + "\n", "the length of its data is “-1”"),
      (#"{"type":"x","data_length":1.5}"# + "\n", "the length of its data"),
      (#"{"type":"x","payload_length":"9"}"# + "\n", "the length of its payload is “9”"),
      (#"{"type":"x","payload_length":1e300}"# + "\n", "the length of its payload"),
      (#"{"type":"x","payload_length":16777217}"# + "\n", "longer than 16384 KiB"),
      (#"{"type":"x","data_length":1048577}"# + "\n", "longer than 1024 KiB"),
      (#"{"type":"x","data_length":2}"# + "\n[]", "not an object"),
    ])
  func `what is not an event is refused with the reason`(text: String, reason: String) {
    let found = events(text)
    #expect(found.events.isEmpty)
    #expect(found.reason?.contains(reason) == true, "\(found.reason ?? "none")")
  }

  @Test func `a line without an end is refused before it is collected`() {
    let line = Data(repeating: UInt8(ascii: "x"), count: 65_536)
    #expect(events([line]).reason == nil)
    #expect(events([line, Data("x".utf8)]).reason?.contains("64 KiB") == true)
  }

  @Test func `an error is final`() {
    var reader = WyomingReader()
    reader.append(Data("nonsense\n".utf8))
    #expect(throws: WyomingReader.FormatError.self) { try reader.next() }
    reader.append(WyomingEvent(type: "describe").encoded)
    #expect(throws: WyomingReader.FormatError.self) { try reader.next() }
  }

  @Test func `hostile bytes give the same events however they are cut`() {
    var bytes = HostileBytes.json(
      [
        #"{"type":"describe"}"# + "\n",
        #"{"type":"transcript","version":"1.10.2","data_length":13}"# + "\n"
          + #"{"text":"abc"}"#.dropLast() + "}",
        #"{"type":"audio-chunk","data":{"rate":16000},"payload_length":4}"# + "\nabcd"
          + #"{"type":"audio-stop"}"# + "\n",
        #"{"type":"info","data":{"asr":[{"name":"a","models":[{"name":"b"}]}]}}"# + "\n",
      ], seed: 16)
    for _ in 0..<Endurance.count(full: 1_000_000, short: 4_000) {
      let input = bytes.next()
      let whole = events([Data(input)])
      let cut = events(bytes.cut(input))
      #expect(whole.events == cut.events && whole.reason == cut.reason)
      for event in whole.events {
        _ = event.value(as: WyomingInfo.self)
        _ = event.value(as: WyomingMessage.Audio.self)
        // What was read can be written and read again.
        #expect(events([event.encoded]).events == [event])
      }
    }
  }
}

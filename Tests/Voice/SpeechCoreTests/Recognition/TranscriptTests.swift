import Foundation
import SpeechCore
import Testing

struct TranscriptTests {
  private func segment(_ words: [(String, Double, Double)]) -> TranscriptSegment {
    TranscriptSegment(
      start: words.first?.1 ?? 0, end: words.last?.2 ?? 0,
      text: words.map(\.0).joined(separator: " "),
      words: words.map { RecognizedWord(text: $0.0, start: $0.1, end: $0.2) })
  }

  private var transcript: Transcript {
    Transcript(
      segments: [
        segment([("hello", 0.5, 0.9), ("world", 1, 1.4)]),
        segment([("a<b", 3_661.25, 3_661.5), ("&", 3_661.5, 3_662)]),
      ], duration: 3_700)
  }

  @Test func `text has a line per utterance`() {
    #expect(transcript.formatted(as: .txt) == "hello world\na<b &\n")
    #expect(Transcript(segments: [], duration: 1).formatted(as: .txt).isEmpty)
  }

  @Test func `SubRip counts its cues and writes commas`() {
    #expect(
      transcript.formatted(as: .srt) == """
        1
        00:00:00,500 --> 00:00:01,400
        hello world

        2
        01:01:01,250 --> 01:01:02,000
        a<b &

        """)
  }

  @Test func `WebVTT escapes markup`() {
    #expect(
      transcript.formatted(as: .vtt) == """
        WEBVTT

        00:00:00.500 --> 00:00:01.400
        hello world

        01:01:01.250 --> 01:01:02.000
        a&lt;b &amp;

        """)
    #expect(Transcript(segments: [], duration: 1).webVTT == "WEBVTT\n")
  }

  @Test func `JSON can be read back`() throws {
    let data = Data(transcript.formatted(as: .json).utf8)
    #expect(try JSONDecoder().decode(Transcript.self, from: data) == transcript)
  }

  @Test func `long utterances are shown in cues of two short lines`() {
    let words = (0..<60).map { ("word\($0)", Double($0) * 0.3, Double($0) * 0.3 + 0.25) }
    let cues = Transcript(segments: [segment(words)], duration: 20).subRip
      .components(separatedBy: "\n\n")
    #expect(cues.count > 4)
    for cue in cues {
      let lines = cue.split(separator: "\n").dropFirst(2)
      #expect(lines.count <= 2)
      #expect(lines.allSatisfy { $0.count <= 42 })
    }
  }

  @Test func `cues never overlap and never end before they start`() {
    let tangled = Transcript(
      segments: [segment([("one", 1, 3)]), segment([("two", 2, 2)]), segment([("three", 2, 4)])],
      duration: 5)
    #expect(
      tangled.subRip.split(separator: "\n").filter { $0.contains("-->") } == [
        "00:00:01,000 --> 00:00:03,000", "00:00:03,000 --> 00:00:03,001",
        "00:00:03,001 --> 00:00:04,000",
      ])
  }

  @Test func `invalid times do no harm`() {
    let odd = Transcript(
      segments: [segment([("a", .nan, .infinity)]), segment([("b", -.infinity, -1)])], duration: 1)
    for format in TranscriptFormat.allCases { #expect(!odd.formatted(as: format).isEmpty) }
  }
}

import AIServices
import AIServiceTesting
import Foundation
import SpeechAudio
import SpeechCore
import Testing

@testable import SpeechCloud

/// Tests of texts that take several requests.
@MainActor
struct LongTextTests {
  private static let sentences = (1...40).map { number in
    "This is sentence \(number), with a clause: it says “nothing” in words. "
  }

  @Test func `a long text is divided at sentences and joined without a gap`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { CloudBench.speech($0) }
    let text = Self.sentences.joined()
    try await bench.provider(bench.openAI()).speak(text: text, voice: nil)
    let parts = bench.server.requests.compactMap { $0.json["input"]?.stringValue }
    #expect(parts.joined() == text)
    #expect(parts.count > 5)
    #expect(parts.allSatisfy { $0.count <= 400 })
    #expect(parts.allSatisfy { $0.hasSuffix("in words. ") && $0.hasPrefix("This is sentence") })
    #expect(bench.speaker.sounds.count == 1, "there were gaps")
    #expect(bench.heard == CloudBench.samples(of: text))
  }

  @Test func `parts for a model with a small limit are sent with their context`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { CloudBench.timedSpeech($0, charactersPerLine: 500) }
    let text = (1...200).map { "Sentence \($0) is one of many. " }.joined()
    let voice = bench.elevenLabs { $0.model = "eleven_v3" }
    let audio = try await voice.render(voice.makeRequest(text: text), configuration: .default)
    #expect(Samples(audio.samples) == CloudBench.samples(of: text))
    let bodies = bench.server.requests.map(\.json)
    let parts = bodies.compactMap { $0["text"]?.stringValue }
    #expect(parts.count == 2)
    #expect(parts.joined() == text)
    #expect(parts.allSatisfy { $0.count <= 5_000 })
    #expect(bodies.map { $0["next_text"]?.stringValue } == [parts[1], nil])
    #expect(bodies.map { $0["previous_text"]?.stringValue } == [nil, parts[0]])
  }

  @Test func `the next part is requested before the current one has been heard`() async throws {
    let bench = try await CloudBench(buffer: .zero)
    defer { bench.server.stop() }
    let gate = ReplyGate()
    let text = Self.sentences.prefix(12).joined()
    bench.server.enqueue(
      .chunked(
        [.bytes(CloudBench.bytes(of: "Begin")), .wait(gate)], headers: ["Content-Type": "audio/pcm"]
      ))
    bench.server.reply { CloudBench.speech($0) }
    let provider = bench.provider(bench.openAI())
    let speech = Task { try await provider.speak(text: text, voice: nil) }
    // 400 characters last at most 20 seconds, so the second part is not requested yet.
    try await gate.reached()
    #expect(bench.server.requests.count == 1)
    gate.open()
    try await speech.value

    // When a part is nearly at its end, the next one is requested, even if more of it may arrive.
    let other = try await CloudBench(buffer: .zero)
    defer { other.server.stop() }
    let stalled = ReplyGate()
    // Thirteen of at most twenty seconds have arrived.
    let most = String(repeating: "x", count: 1_300)
    other.server.enqueue(
      .chunked(
        [.bytes(CloudBench.bytes(of: most)), .wait(stalled)],
        headers: ["Content-Type": "audio/pcm"]))
    other.server.reply { CloudBench.speech($0) }
    let second = other.provider(other.openAI())
    let speaking = Task { try await second.speak(text: text, voice: nil) }
    try await other.server.wait { $0.requests.count >= 2 }
    stalled.open()
    try await speaking.value
  }

  @Test func `without times, positions are those of the parts`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { CloudBench.speech($0) }
    let text = Self.sentences.prefix(12).joined()
    let voice = bench.openAI()
    let positions = try await positions(of: text, by: voice)
    let parts = bench.server.requests.compactMap { $0.json["input"]?.stringValue }
    #expect(positions.map(\.kind) == parts.map { _ in .sentence })
    var start = 0
    for (position, part) in zip(positions, parts) {
      #expect(position.textRange.lowerBound == start)
      let time = Duration.seconds(Double(start) * CloudBench.secondsPerCharacter)
      #expect(abs((position.audioOffset - time) / .seconds(1)) < 0.001)
      start += part.unicodeScalars.count
    }
  }

  @Test(arguments: [1, 3, 10, 1_000])
  func `words of several parts have their positions in the whole text`(
    _ charactersPerLine: Int
  ) async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { CloudBench.timedSpeech($0, charactersPerLine: charactersPerLine) }
    // Characters of several scalars, several kinds of spaces, and no part longer than the limit.
    let paragraph = "Ünïcode cafe\u{301} 👩‍👩‍👧 says:  hello.\nA second\u{A0}one? Yes! "
    let text = String(repeating: paragraph, count: 120)
    let voice = bench.elevenLabs { $0.model = "eleven_v3" }
    let positions = try await positions(of: text, by: voice)
    #expect(bench.server.requests.count == 2)

    let scalars = Array(text.unicodeScalars)
    var expected: [Range<Int>] = []
    var start = 0
    for index in scalars.indices where scalars[index].properties.isWhitespace {
      if index > start { expected.append(start..<index) }
      start = index + 1
    }
    let words = positions.filter { $0.kind == .word }
    #expect(words.map(\.textRange) == expected)
    for word in words {
      let time = Double(word.textRange.lowerBound) * CloudBench.secondsPerCharacter
      let difference = word.audioOffset - .seconds(time)
      #expect(abs(difference / .seconds(1)) < 0.001, "\(word)")
    }
    #expect(positions.filter { $0.kind == .sentence }.count == 3 * 120)
    #expect(positions.map(\.audioOffset) == positions.map(\.audioOffset).sorted())
  }

  @Test(arguments: [
    (String(repeating: "x", count: 1_000), 400), (String(repeating: "word ", count: 300), 400),
    (String(repeating: "clause, ", count: 200), 400), ("a", 1), ("ab", 1), ("One. Two.", 5),
    (String(repeating: "你好。", count: 200), 100), ("\n\n\nText\n\n\n", 4), ("e\u{301}e\u{301}", 1),
  ])
  func `parts cover the whole text, within the limit and without empty ones`(
    _ text: String, _ limit: Int
  ) {
    let parts = TextPart.parts(of: text, limit: limit)
    let scalars = Array(text.unicodeScalars)
    var end = 0
    for part in parts {
      let length = part.text.unicodeScalars.count
      #expect(length <= limit)
      #expect(part.start >= end)
      // Only spaces are omitted between two parts.
      #expect(scalars[end..<part.start].allSatisfy { $0.properties.isWhitespace })
      #expect(Array(part.text.unicodeScalars) == Array(scalars[part.start..<part.start + length]))
      end = part.start + length
    }
    #expect(scalars[end...].allSatisfy { $0.properties.isWhitespace })
  }

  @Test func `implausible times are limited`() {
    var timeline = WordTimeline("Hello there.")
    let odd = [
      CharacterTiming(character: "", start: 0, end: 1),
      CharacterTiming(character: "Z", start: 0, end: 1),
      CharacterTiming(character: "H", start: -5, end: .infinity),
      CharacterTiming(character: "t", start: 1e300, end: 0),
      CharacterTiming(character: "here. And much more than the text has", start: 2, end: 3),
      CharacterTiming(character: "x", start: 3, end: 4),
    ]
    let positions = timeline.positions(of: odd)
    #expect(positions.first?.audioOffset == .zero)
    #expect(positions.allSatisfy { $0.textRange.upperBound <= 12 })
  }

  private func positions(
    of text: String, by voice: some CloudVoice
  ) async throws -> [SpeechPosition] {
    var positions: [SpeechPosition] = []
    for try await chunk in voice.streamAudio(
      request: voice.makeRequest(text: text), configuration: .default)
    {
      positions += chunk.positions
    }
    return positions
  }
}

import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechWyoming

@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WyomingDecoderTests {
  @Test func `audio arrives as it was heard, at once and in pieces`() async throws {
    try await WyomingFixture.withFake("honest") { engine in
      let session = WyomingFixture.session(engine)
      for frames in [1, 1_599, 1_600, 40_000] {
        let audio = WyomingFixture.audio(frames, frames: frames)
        let whole = try await session.decode(audio)?.text
        #expect(whole == WyomingFixture.answer(to: audio))
        for piece in [320, 7_777] {
          let live = try await WyomingFixture.live(audio, in: session, piece: piece)
          #expect(live == whole)
        }
      }
      let nothing = try await session.decode(PCMBuffer(format: .recognition))
      #expect(nothing == nil)
    }
  }

  @Test func `a socket in the file system is an address`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).socket").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await WyomingFixture.withFake("honest", ["--unix", path]) { _ in
      let audio = WyomingFixture.audio(1)
      let heard = try await WyomingFixture.session("unix:\(path)").decode(audio)?.text
      #expect(heard == WyomingFixture.answer(to: audio))
    }
  }

  @Test(arguments: ["honest", "ends after an answer"])
  func `a program is started, and serves one utterance after the other`(manner: String) async throws
  {
    let session = WyomingFixture.session(
      try WyomingFixture.command("wyoming_fake.py", [manner, "--stdio"]))
    for number in 1...4 {
      let audio = WyomingFixture.audio(number, frames: 1_000 * number)
      let whole = try await session.decode(audio)?.text
      let live = try await WyomingFixture.live(audio, in: session)
      #expect(whole == WyomingFixture.answer(to: audio))
      #expect(live == whole)
      try await session.hear(.start)
      try await session.hear(.audio(audio))
      try await session.hear(.discard)
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `an engine that streams gives partial results`() async throws {
    try await WyomingFixture.withFake("streams") { engine in
      let session = WyomingFixture.session(engine)
      _ = try await session.decode(WyomingFixture.audio(1))
      try await session.hear(.start)
      try await session.hear(.audio(WyomingFixture.audio(1)))
      // Until the engine has answered, which takes it a moment.
      var texts: [String] = []
      while texts.last != "1 2 3 4 5 6 7 8 9 10" {
        let output = try await session.hear(.audio(PCMBuffer(format: .recognition)))
        if let text = output.partialText {
          texts.append(text.trimmingCharacters(in: .whitespaces))
        } else {
          await Task.yield()
        }
      }
      #expect(zip(texts, texts.dropFirst()).allSatisfy { $1.hasPrefix($0) })
      let final = try await session.hear(.finish).utterance?.text
      #expect(final == WyomingFixture.answer(to: WyomingFixture.audio(1)))
    }
  }

  /// Three sentences with long pauses, and the number of their loud frames.
  private func sentences() async throws -> (audio: PCMBuffer, loud: Int) {
    var audio = PCMBuffer(format: .recognition)
    for text in ["Good morning.", "The weather is fine.", "It is going to rain tomorrow."] {
      audio.append(try await WyomingFixture.spoken(text))
      audio.append(.silence(.milliseconds(900), format: .recognition))
    }
    return (audio, audio.samples.count { abs(Int($0)) > 1_000 })
  }

  private static func sum(of text: String?) -> Int {
    (text ?? "").split(separator: " ").compactMap { Int($0) }.reduce(0, +)
  }

  @Test func `an engine that takes a pause for the end misses nothing after it`() async throws {
    let (audio, loud) = try await sentences()
    try await WyomingFixture.withFake("ends early") { engine in
      let session = WyomingFixture.session(engine)
      for _ in 0..<2 {
        let whole = try await session.decode(audio)?.text
        #expect(Self.sum(of: whole) == loud, "\(whole ?? "")")
        let live = try await WyomingFixture.live(audio, in: session)
        #expect(live == whole)
      }
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `an answer before the end of the audio is not the whole text`() async throws {
    let (audio, loud) = try await sentences()
    try await WyomingFixture.withFake("ends early, unannounced") { address in
      let engine = WyomingEngine(try WyomingAddress(address))
      let deadline = WyomingLink.Deadline(.seconds(60))
      let listening = WyomingTranscription(language: "en")
      var attempt = try WyomingAttempt(listening, by: engine)
      // Until it has answered, which takes it a moment.
      while !engine.answersEarly {
        do throws(WyomingError) { try attempt.proceed(with: WyomingAudio(audio)) } catch {
          #expect(error == .early(address))
        }
        await Task.yield()
      }
      let text = try await engine.text(of: audio, listening, begun: attempt, until: deadline)
      #expect(Self.sum(of: text) == loud, "\(text)")
    }
  }

  @Test func `a server that is restarted hears the utterance that was in progress`() async throws {
    let session: RecognitionSession<WyomingDecoder>
    let first = try await Peer.start("wyoming_fake.py", ["honest"])
    session = WyomingFixture.session("127.0.0.1:\(first.port)")
    let audio = WyomingFixture.audio(1)
    let expected = try await session.decode(audio)?.text
    try await session.hear(.start)
    try await session.hear(.audio(audio.slice(0..<8_000)))
    await first.stop()
    try await session.hear(.audio(audio.slice(8_000..<16_000)))
    let heard = Task { try await session.hear(.finish).utterance?.text }
    try await Peer.with("wyoming_fake.py", ["honest", "--port", "\(first.port)"]) { _ in
      let text = try await heard.value
      #expect(text == expected)
    }
  }

  @Test(arguments: ["a server", "a program"])
  func `an engine that crashes at random loses and repeats nothing`(kind: String) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let crashes = Endurance.count(full: 200, short: 10)
    let options = ["--crashes", file.path]
    func hear(_ engine: String) async throws {
      let session = WyomingFixture.session(engine)
      var number = 0
      while (Int((try? String(contentsOf: file, encoding: .utf8)) ?? "") ?? 0) <= crashes {
        number += 1
        let audio = WyomingFixture.audio(number, frames: 9_000 + number)
        let heard =
          number % 2 == 0
          ? try await session.decode(audio)?.text
          : try await WyomingFixture.live(audio, in: session)
        #expect(heard == WyomingFixture.answer(to: audio))
      }
    }
    if kind == "a server" {
      try await WyomingFixture.withFake("honest", options) { try await hear($0) }
    } else {
      try await hear(
        WyomingFixture.command("wyoming_fake.py", ["honest", "--stdio"] + options))
    }
  }
}

import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechWyoming

@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WyomingWakeWordTests {
  private typealias Session = RecognitionSession<WyomingDecoder>

  private func session(
    _ engine: String, _ phrases: [String] = ["Okay Nabu"], timeout: Duration = .seconds(60)
  ) -> Session {
    var configuration = WyomingConfiguration(engine: engine, keyPhrases: phrases)
    configuration.timeout = timeout
    return Session(configuration: configuration, locale: WyomingFixture.english)
  }

  /// Loud audio from the second half of a second on, in which the predictable engine hears a phrase
  /// after three quarters of a second.
  private static let phrase: PCMBuffer = {
    var audio = PCMBuffer.silence(.milliseconds(500), format: .recognition)
    audio.append(WyomingFixture.audio(1, frames: 8_000))
    audio.append(.silence(.milliseconds(1_000), format: .recognition))
    return audio
  }()
  private static let quiet = PCMBuffer.silence(.seconds(1), format: .recognition)

  private func complaint(
    about engine: String, _ phrases: [String] = ["okay nabu"],
    timeout: Duration = .seconds(60)
  ) async throws -> String {
    do {
      let session = session(engine, phrases, timeout: timeout)
      let heard = try await session.decode(WyomingFixture.audio(1, frames: 160))
      return "heard “\(heard?.text ?? "")”"
    } catch let error as SpeechRecognitionError {
      return error.localizedDescription
    }
  }

  @Test(arguments: ["honest", "reports too much"])
  func `a phrase is heard where it ends, and nothing in other audio`(manner: String) async throws {
    try await WyomingFixture.withFake(manner) { engine in
      let session = session(engine)
      for _ in 0..<2 {
        let heard = try #require(try await session.decode(Self.phrase))
        #expect(heard.text == "Okay Nabu")
        let phrase = try #require(heard.keyPhrase)
        #expect((0.4...0.8).contains(phrase.end) && phrase.start < phrase.end)
        let nothing = try await session.decode(Self.quiet)
        #expect(nothing == nil)
      }
      let empty = try await session.decode(PCMBuffer(format: .recognition))
      #expect(empty == nil)
    }
  }

  @Test(.timeLimit(.minutes(2)), arguments: ["a server", "a program"])
  func `an utterance is complete as soon as its phrase is heard`(kind: String) async throws {
    func check(_ engine: String) async throws {
      let session = session(engine)
      for _ in 0..<3 {
        try await session.hear(.start)
        var output = try await session.hear(.audio(Self.phrase))
        // Until the engine has answered, which takes it a moment.
        while !output.isComplete {
          await Task.yield()
          output = try await session.hear(.audio(PCMBuffer(format: .recognition)))
        }
        #expect(output.partialText == "Okay Nabu")
        let heard = try await session.hear(.finish).utterance
        #expect(heard?.keyPhrase?.text == "Okay Nabu")
        try await session.hear(.start)
        try await session.hear(.audio(Self.quiet))
        let nothing = try await session.hear(.finish).utterance
        #expect(nothing == nil)
      }
    }
    if kind == "a server" {
      try await WyomingFixture.withFake("honest") { try await check($0) }
    } else {
      try await check(WyomingFixture.command("wyoming_fake.py", ["honest", "--stdio"]))
    }
  }

  @Test func `a phrase is that of a model, its name, or any for a model that is named`()
    async throws
  {
    try await WyomingFixture.withFake("honest") { engine in
      for phrase in ["OKAY  nabu", "okay_nabu_v0.1", "hey jarvis", "Mine"] {
        let heard = try await session(engine, ["mine", phrase]).decode(Self.phrase)
        #expect(heard != nil, "\(phrase)")
      }
      let named = try await session(engine + "#mine", ["computer"]).decode(Self.phrase)
      #expect(named?.text == "computer")
      let unknown = try await complaint(about: engine, ["computer"])
      #expect(
        unknown.contains("not listen for “computer”, but for “okay nabu”, “hey_jarvis”, “mine”"),
        "\(unknown)")
      let two = try await complaint(about: engine + "#mine", ["computer", "robot"])
      #expect(two.contains("selects one model, and there are 2 phrases"), "\(two)")
      let other = try await complaint(about: engine + "#huge", ["computer"])
      #expect(other.contains("has no model “huge”"), "\(other)")
    }
  }

  @Test func `a phrase with a threshold is refused`() async throws {
    let settings = RecogniserSettings(
      search: .keyPhrases(["okay nabu //0.7/"]), variant: "localhost:10400")
    let error = #expect(throws: SpeechRecognitionError.self) {
      try RecogniserEntry.wyoming.recogniser(settings)
    }
    #expect(error?.localizedDescription.contains("--threshold") == true)
  }

  @Test func `each fault is an error with a remedy`() async throws {
    try await WyomingFixture.withFake("describes nothing") { engine in
      let none = try await complaint(about: engine)
      #expect(none.contains("does not listen for wake words"), "\(none)")
    }
    try await WyomingFixture.withFake("lies") { engine in
      let error = await #expect(throws: SpeechRecognitionError.self) {
        try await session(engine).decode(Self.phrase)
      }
      #expect(error?.localizedDescription.contains("its detection has another form") == true)
    }
    try await WyomingFixture.withFake("hangs later") { engine in
      let late = try await complaint(about: engine, timeout: .milliseconds(1_000))
      #expect(late.contains("did not answer within 1 seconds"), "\(late)")
    }
  }

  @Test(arguments: ["a server", "a program"])
  func `an engine that crashes at random misses and repeats nothing`(kind: String) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let crashes = Endurance.count(full: 200, short: 8)
    let options = ["--crashes", file.path]
    func hear(_ engine: String) async throws {
      let session = session(engine)
      var number = 0
      while (Int((try? String(contentsOf: file, encoding: .utf8)) ?? "") ?? 0) <= crashes {
        number += 1
        let isSpoken = number % 3 != 0
        try await session.hear(.start)
        try await session.hear(.audio(isSpoken ? Self.phrase : Self.quiet))
        let heard = try await session.hear(.finish).utterance
        #expect((heard != nil) == isSpoken)
      }
    }
    if kind == "a server" {
      try await WyomingFixture.withFake("honest", options) { try await hear($0) }
    } else {
      try await hear(
        WyomingFixture.command("wyoming_fake.py", ["honest", "--stdio"] + options))
    }
  }

  @Test func `a server that is restarted hears the phrase that was in progress`() async throws {
    let first = try await Peer.start("wyoming_fake.py", ["honest"])
    let session = session("127.0.0.1:\(first.port)")
    _ = try await session.decode(Self.quiet)
    try await session.hear(.start)
    try await session.hear(.audio(Self.phrase.slice(0..<9_000)))
    await first.stop()
    try await session.hear(.audio(Self.phrase.slice(9_000..<Self.phrase.frameCount)))
    let heard = Task { try await session.hear(.finish).utterance?.text }
    try await Peer.with("wyoming_fake.py", ["honest", "--port", "\(first.port)"]) { _ in
      let text = try await heard.value
      #expect(text == "Okay Nabu")
    }
  }

  @Test func `the audio that waits for a lost engine is bounded`() {
    let whole = WyomingFixture.audio(1, frames: 16_000 * 30)
    var audio = WyomingAudio()
    for start in stride(from: 0, to: whole.frameCount, by: 1_000) {
      audio.append(whole.slice(start..<start + 1_000), keeping: 160_000)
      #expect(audio.kept.frameCount <= 177_000)
      #expect(audio.end == start + 1_000)
    }
    #expect(audio.kept.samples == Array(whole.samples[audio.start...]))
    #expect(audio.start > 0)
  }
}

import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechWyoming

@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WyomingVoiceTests {
  private static let text = "Good morning, everybody."

  /// What the predictable engine says.
  private static var speech: [Int16] {
    (0..<Int16(text.count)).flatMap { repeatElement(50 * $0, count: 300) }
  }

  private func spoken(
    _ engine: String, _ text: String = Self.text, voice: String = "",
    style: SpeakingStyle = .default
  ) async throws -> PCMBuffer {
    var configuration = WyomingVoiceConfiguration(engine: engine, style: style)
    configuration.timeout = .seconds(20)
    return try await WyomingVoice().render(
      WyomingVoice().makeRequest(text: text, voiceId: voice), configuration: configuration)
  }

  @Test(arguments: ["honest", "has stereo of 24 bit"])
  func `every sample arrives once and in order`(manner: String) async throws {
    try await WyomingFixture.withFake(manner) { engine in
      let audio = try await spoken(engine)
      #expect(audio.format.sampleRate == 22_050)
      #expect(audio.samples == Self.speech)
    }
  }

  @Test func `silence and volume are added here, and a pace is refused`() async throws {
    try await WyomingFixture.withFake("honest") { engine in
      let style = SpeakingStyle(volume: 0.5, preUtteranceDelay: 1, postUtteranceDelay: 1)
      let audio = try await spoken(engine, style: style)
      #expect(audio.frameCount == Self.speech.count + 2 * 22_050)
      #expect(audio.peak < 0.6 * 50 * Double(Self.text.count) / 32_768)
      let error = await #expect(throws: SpeechSynthesisProviderError.self) {
        try await spoken(engine, style: SpeakingStyle(rate: 0.8))
      }
      #expect(error?.localizedDescription.contains("--length-scale") == true)
    }
  }

  @Test func `the engine's voices are listed, and others are refused`() async throws {
    try await WyomingFixture.withFake("honest") { engine in
      let configuration = WyomingVoiceConfiguration(engine: engine)
      let voices = try await WyomingVoice().fetchVoices(
        languageCode: "de", configuration: configuration)
      #expect(voices.map(\.id) == ["large"])
      #expect(voices.first?.languages == ["en-US", "de-DE"])
      let large = try await spoken(engine, voice: "large")
      let small = try await spoken(engine + "#small")
      #expect(large.samples == Self.speech && small.samples == Self.speech)
      await #expect(throws: SpeechSynthesisProviderError.voiceNotAvailable("huge")) {
        try await spoken(engine, voice: "huge")
      }
      await #expect(throws: SpeechSynthesisProviderError.invalidText) {
        try await spoken(engine, " \n")
      }
    }
  }

  @Test func `a voice that is listed and not there is reported as such`() async throws {
    try await WyomingFixture.withFake("lists too much") { engine in
      await #expect(throws: SpeechSynthesisProviderError.voiceNotAvailable("missing")) {
        try await spoken(engine, voice: "missing")
      }
    }
  }

  @Test(
    arguments: [
      ("lies", "the format of its audio is"), ("changes the format", "another format than it said"),
      ("never ends", "its audio has no end"), ("describes nothing", "has no voices"),
    ])
  func `each fault is an error with a remedy`(manner: String, message: String) async throws {
    try await WyomingFixture.withFake(manner) { engine in
      let error = await #expect(throws: SpeechSynthesisProviderError.self) {
        try await spoken(engine)
      }
      #expect(error?.localizedDescription.contains(message) == true)
    }
  }

  @Test func `a text is spoken sentence by sentence`() async throws {
    #expect(
      WyomingUtterance.sentences(of: " Dr. Who? Yes! \nIt is 3.5 km,\nnot more “here.”\n\n") == [
        "Dr. Who?", "Yes!", "It is 3.5 km,\nnot more “here.”",
      ])
    #expect(WyomingUtterance.sentences(of: " ♥ ") == ["♥"])
    try await WyomingFixture.withFake("honest") { engine in
      let pieces = WyomingVoice().streamAudio(
        request: WyomingVoice().makeRequest(text: "One. Three."),
        configuration: WyomingVoiceConfiguration(engine: engine))
      var lengths: [Int] = []
      for try await piece in pieces { lengths.append(piece.audio.frameCount) }
      #expect(lengths == [4 * 300, 6 * 300])
    }
  }

  @Test(arguments: ["a server", "a program"])
  func `a voice that never speaks alike is heard once after each crash`(
    kind: String
  ) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let crashes = Endurance.count(full: 200, short: 8)
    let options = ["--crashes", file.path]
    // No character follows itself.
    let text = "A fine day to you. It is late by now, Max. Bye then."
    func speak(_ engine: String) async throws {
      let configuration = WyomingVoiceConfiguration(engine: engine)
      while (Int((try? String(contentsOf: file, encoding: .utf8)) ?? "") ?? 0) <= crashes {
        let audio = try await WyomingVoice().render(
          WyomingVoice().makeRequest(text: text), configuration: configuration)
        var spoken = ""
        for sample in audio.samples {
          let character = Unicode.Scalar(UInt8(clamping: sample / 40))
          if spoken.unicodeScalars.last != character { spoken.unicodeScalars.append(character) }
        }
        #expect(spoken == WyomingUtterance.sentences(of: text).joined())
      }
    }
    if kind == "a server" {
      try await WyomingFixture.withFake("varies", options) { try await speak($0) }
    } else {
      try await speak(WyomingFixture.command("wyoming_fake.py", ["varies", "--stdio"] + options))
    }
  }

  @Test(arguments: ["a server", "a program"])
  func `an engine that crashes at random leaves no gap and repeats nothing`(
    kind: String
  ) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let crashes = Endurance.count(full: 200, short: 8)
    let options = ["--crashes", file.path]
    func speak(_ engine: String) async throws {
      let configuration = WyomingVoiceConfiguration(engine: engine)
      while (Int((try? String(contentsOf: file, encoding: .utf8)) ?? "") ?? 0) <= crashes {
        let audio = try await WyomingVoice().render(
          WyomingVoice().makeRequest(text: Self.text), configuration: configuration)
        #expect(audio.samples == Self.speech)
      }
    }
    if kind == "a server" {
      try await WyomingFixture.withFake("honest", options) { try await speak($0) }
    } else {
      try await speak(WyomingFixture.command("wyoming_fake.py", ["honest", "--stdio"] + options))
    }
  }
}

import Foundation
import SpeechAudio
import SpeechKit
import TestSupport
import Testing

@testable import speechkit

@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WyomingCommandTests {
  @Test func `a file is transcribed by an engine at a port`() async throws {
    try await Peer.with("wyoming_engine.py", ["recogniser"]) { peer in
      let recording = try await Sounds.shared.command()
      let outcome = try await Tool(
        "transcribe", "--recogniser", "wyoming:127.0.0.1:\(peer.port)", recording
      ).run()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let words = outcome.text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " }
      #expect(words == "go forward 10 meters" || words == Sounds.command)
    }
  }

  @Test func `a text is spoken by an engine that is started for it`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let file = workshop.path("speech.wav")
    let engine = [try Peers.interpreter, "\(Peers.folder)/wyoming_fake.py", "honest", "--stdio"]
      .map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await Tool(
      "say", "--voice", "wyoming:exec:\(engine)#small", "--output", file, "Good morning."
    ).run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let audio = try AudioFile.read(URL(filePath: file))
    #expect(audio.frameCount == 3_900)
  }

  /// A recording of a wake word and a command, spoken by Piper.
  private func call(in workshop: Workshop) async throws -> String {
    try await Peer.with("wyoming_engine.py", ["voice"]) { peer in
      let spoken = try await Tool(
        "say", "--voice", "wyoming:127.0.0.1:\(peer.port)", "--output", workshop.path("call.wav"),
        "Okay Nabu. Turn on the kitchen light."
      ).run()
      #expect(spoken.status == 0, "\(spoken.errors)")
      return workshop.path("call.wav")
    }
  }

  @Test func `a wake word is heard by an engine, and the command after it by another`() async throws
  {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let recording = try await call(in: workshop)
    let grammar = try workshop.write(
      "#JSGF V1.0; grammar g; public <c> = turn (on | off) the kitchen light;", to: "lights.gram")
    try await Peer.with("wyoming_engine.py", ["wake"]) { peer in
      let engine = "wyoming:127.0.0.1:\(peer.port)"
      let listened = try await Tool(
        "listen", "--file", recording, "-k", "okay nabu", "--spotter", engine, "-g", grammar
      ).run()
      #expect(listened.status == 0, "\(listened.errors)")
      #expect(listened.lines == ["turn on the kitchen light"], "\(listened.text)")
      let alone = try await Tool(
        "listen", "--file", recording, "-k", "okay nabu", "--recogniser", engine
      ).run()
      #expect(alone.lines == ["okay nabu"], "\(alone.text) \(alone.errors)")
      let unknown = try await Tool(
        "listen", "--file", recording, "-k", "computer", "--spotter", engine, "-g", grammar
      ).run()
      #expect(unknown.status == 69)
      #expect(unknown.errors.contains("does not listen for “computer”"), "\(unknown.errors)")
      var loop = Tool(
        "loop", "-i", recording, "-v", "flite:rms", "-w", "okay nabu", "--spotter", engine, "-g",
        grammar)
      loop.folder = workshop.folder
      let talk = try await loop.run()
      #expect(talk.lines.contains("awake    okay nabu"), "\(talk.text) \(talk.errors)")
      #expect(talk.lines.contains("user     turn on the kitchen light"), "\(talk.text)")
    }
  }

  @Test(arguments: [["transcribe", "--recogniser"], ["say", "--output", "x.wav", "--voice"]])
  func `an engine needs an address, and has to be there`(command: [String]) async throws {
    let text = command[0] == "say" ? "Good morning." : try await Sounds.shared.command()
    let none = try await Tool(command + ["wyoming", text]).run()
    #expect(none.errors.contains("wyoming:localhost:10300"), "\(none.errors)")
    let gone = try await Tool(command + ["wyoming:127.0.0.1:1", text]).run()
    #expect(gone.status == 69)
    #expect(gone.errors.contains("127.0.0.1:1 cannot be reached"), "\(gone.errors)")
  }
}

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

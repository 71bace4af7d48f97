import Foundation
import SpeechKit
import TestSupport
import Testing

@testable import speechkit

@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WhisperCommandTests {
  private func tool(_ arguments: String...) throws -> Tool {
    var tool = Tool(arguments)
    tool.environment["SPEECHKIT_WHISPER"] = try Peers.whisperLibrary.path
    return tool
  }

  @Test func `a file is transcribed with a model that is named by its path`() async throws {
    let name = "whisper:\(try Peers.whisperModel.path)"
    let outcome = try await tool(
      "transcribe", "--recogniser", name, Sounds.shared.command()
    ).run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let words = outcome.text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " }
    #expect(words == "go forward 10 meters" || words == Sounds.command)
  }

  @Test func `a model that is not installed is reported with the places`() async throws {
    let outcome = try await tool(
      "transcribe", "--recogniser", "whisper:nonsense", Sounds.shared.command()
    ).run()
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("The Whisper model “nonsense” is not installed"))
  }

  @Test func `a grammar is refused with the recognisers that take one`() async throws {
    let outcome = try await tool(
      "transcribe", "--recogniser", "whisper", "--grammar", Sounds.shared.grammar(),
      Sounds.shared.command()
    ).run()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("grammars"))
  }
}

import Foundation
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
}

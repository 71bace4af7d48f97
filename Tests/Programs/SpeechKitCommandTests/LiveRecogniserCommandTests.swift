#if Cloud
import Foundation
import SpeechKit
import TestSupport
import Testing

@testable import speechkit

/// Tests of live transcription on the command line, with a server on this machine.
@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct LiveRecogniserCommandTests {
  private let sentence = "Good morning, everybody."

  private func name(_ peer: Peer, _ conduct: String = "plain") -> String {
    "openai-live:small@http://127.0.0.1:\(peer.port)/\(conduct)/v1"
  }

  @Test(arguments: [["transcribe"], ["listen", "--file"]])
  func `a file is transcribed by a server that is named with its model`(
    command: [String]
  ) async throws {
    try await Peer.with("realtime_transcriber.py") { peer in
      let outcome = try await Tool(
        [command[0], "--recogniser", name(peer)] + command.dropFirst() + [Sounds.shared.command()]
      ).run()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.lines == [sentence])
      let query = try await peer.report("connected")
      #expect(query == "intent=transcription&model=small")
    }
  }

  @Test func `a conversation in virtual time has the same outcome each time`() async throws {
    try await Peer.with("realtime_transcriber.py") { peer in
      var outputs: [String] = []
      for _ in 1...2 {
        let outcome = try await Tool(
          "loop", "-i", try Sounds.shared.command(), "--recogniser", name(peer), "-v", "flite:rms",
          "-r", "echo"
        ).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        outputs.append(outcome.text)
      }
      #expect(outputs[0].contains(sentence))
      #expect(Set(outputs).count == 1)
    }
  }

  @Test func `a server that is lost is reported`() async throws {
    try await Peer.with("realtime_transcriber.py") { peer in
      let outcome = try await Tool(
        "transcribe", "--recogniser", name(peer, "drop-always"), Sounds.shared.command()
      ).run()
      #expect(outcome.status != 0)
      #expect(outcome.errors.contains("interrupted"), "\(outcome.errors)")
    }
  }
}
#endif

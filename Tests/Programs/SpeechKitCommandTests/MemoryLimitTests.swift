import ConformanceTesting
import Foundation
import TestSupport
import Testing

@testable import speechkit

/// Without the sanitizers, which need terabytes of address space themselves.
@Suite(.enabled(if: !Sanitizer.isOn))
struct MemoryLimitTests {
  @Test(arguments: [true, false])
  func `with a low limit on memory, recognition works or reports it`(
    hasGrammar: Bool
  ) async throws {
    let speech = try await Sounds.shared.command()
    let search =
      hasGrammar ? ["-g", try await Sounds.shared.grammar()] : ["--recogniser", "pocketsphinx"]
    var statuses: [Int32] = []
    for kibibytes in [160_000, 200_000, 240_000, 280_000, 320_000, 1_000_000] {
      let outcome = try await Tool(["transcribe"] + search + [speech])
        .throughShell("ulimit -v \(kibibytes) && exec \"$@\"").run()
      #expect(outcome.signal == nil, "\(kibibytes)")
      if outcome.status == 71 {
        #expect(outcome.errors.contains("memory"), "\(kibibytes): \(outcome.errors)")
      } else {
        #expect(outcome.status == 0, "\(kibibytes): \(outcome.errors)")
        #expect(!outcome.text.isEmpty)
      }
      statuses.append(outcome.status)
    }
    #expect(statuses.contains(71))
    #expect(statuses.last == 0)
  }
}

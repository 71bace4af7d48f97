import Foundation
import Testing

struct OpenFileLimitTests {
  @Test func `with a low limit on open files, the program works or reports it`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    // Created before, so that it is not the cause of a failure.
    let cache = ["XDG_CACHE_HOME": workshop.path("cache")]
    #if Espeak
    let voice = "en"
    #else
    let voice = "slt"
    #endif
    var hasWorked = false
    for limit in [64] + Array(4...20) {
      var tool = Tool("say", "hi", "-v", voice, "-o", workshop.path("hi.wav"))
      tool.environment = cache
      let outcome = try await tool.throughShell("ulimit -n \(limit) && exec \"$@\"").run()
      #expect(outcome.signal == nil, "\(limit)")
      if outcome.status == 0 {
        hasWorked = true
        #expect(outcome.errors.isEmpty, "\(limit): \(outcome.errors)")
      } else {
        #expect([66, 69, 73].contains(outcome.status), "\(limit): \(outcome.status)")
        #expect(outcome.errors.contains("speechkit: "), "\(limit): \(outcome.errors)")
        #expect(!outcome.errors.contains("no voice"), "\(limit): \(outcome.errors)")
      }
      if limit == 64 || limit == 20 { #expect(hasWorked) }
    }
  }
}

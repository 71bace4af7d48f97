import Foundation
import SpeechCommand
import TestSupport
import Testing

@testable import speechkit

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

  @Test func `every command works with few open files, or says that there are too few`()
    async throws
  {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let speech = try await Sounds.shared.command()
    _ = try workshop.write(Sounds.grammar, to: "moves.gram")
    _ = try workshop.write("turn the lights on\n", to: "text.txt")
    _ = try workshop.write(Self.scenario, to: "hello.scenario")
    let arguments: [String: [String]] = [
      "say": ["hi", "-v", "flite:slt", "-o", "say.wav"],
      "listen": ["--grammar", "moves.gram"],
      "transcribe": ["--grammar", "moves.gram", speech],
      "loop": ["-i", speech, "-o", "loop.wav", "--grammar", "moves.gram"],
      "test": ["hello.scenario"],
      "run": ["correct", "text"],
      // It asks questions.
      "setup": ["--help"],
      "grammar check": ["moves.gram"],
      "model build": ["text.txt", "-o", "model"],
      "words explain": ["light"],
      "actions preview": ["correct", "text"],
      "actions show": ["correct"],
    ]
    // The whole range for a simple command and for the one that starts others.
    let whole = Endurance.cases(full: Array(8...64), short: Array(stride(from: 8, to: 32, by: 3)))
    for name in Self.names(of: CommandList.all) {
      let limits = ["version", "test"].contains(name) ? whole : [9, 12, 18, 64]
      for limit in limits {
        var tool = Tool(name.split(separator: " ").map(String.init) + (arguments[name] ?? []))
        tool.folder = workshop.folder
        tool.environment = [
          "XDG_CACHE_HOME": workshop.path("cache"), "XDG_CONFIG_HOME": workshop.path("config"),
          "XDG_DATA_HOME": workshop.path("data"), "XDG_STATE_HOME": workshop.path("state"),
        ]
        // The console ends when it cannot print its link.
        if name == "console" { tool.output = .closed }
        let outcome = try await tool.throughShell("ulimit -n \(limit) && exec \"$@\"").run()
        let place: Comment = "\(name), \(limit): \(outcome.status), \(outcome.errors)"
        #expect(outcome.signal == nil, place)
        let status = ExitStatus(rawValue: outcome.status)
        #expect(status != nil && status != .software, place)
        #expect(!outcome.errors.contains("operation could"), place)
        if limit == 64, ["test", "say", "transcribe"].contains(name) {
          #expect(status == .success, place)
        }
        if status != .success, status != .different, status != .ioError {
          #expect(outcome.errors.contains("speechkit: "), place)
        }
      }
    }
  }

  private static let scenario = """
    scenario "Hello"
    recogniser exact
    reply "Hello to you."
    person Ben flite:awb
    Ben says "hello" at 1 s
    expect said "Hello to you." within 1 s
    """

  /// The commands that can be run, with the words of the groups around them.
  private static func names(of nodes: [CommandNode]) -> [String] {
    nodes.flatMap { $0.nodes.isEmpty ? [$0.declaration.name] : names(of: $0.nodes) }
  }
}

import Foundation
import SpeechTesting
import TestSupport
import Testing

@testable import speechkit

struct ScenarioCommandTests {
  private static let samples = ProjectFolder.root.appending(path: "Samples/Scenarios")

  private static let good = """
    scenario "Hello"
    recogniser exact
    reply "Hello to you."
    person Ben flite:awb
    Ben says "hello" at 1 s
    expect said "Hello to you." within 1 s
    """

  private func tool(_ workshop: Workshop, _ arguments: String...) -> Tool {
    var tool = Tool(arguments)
    tool.folder = workshop.folder
    return tool
  }

  @Test func `the sample scenarios meet their expectations, with reports`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let files = try Scenario.files(in: Self.samples).map { $0.path(percentEncoded: false) }
    #expect(files.count >= 28)
    var tool = Tool(["test"] + files + ["--junit", "r.xml", "--html", "r.html"])
    tool.folder = workshop.folder
    let outcome = try await tool.run()
    #expect(outcome.status == 1, "\(outcome.errors)")
    let failed = outcome.lines.filter { $0.hasPrefix("✘") }
    #expect(failed.count == 1, "\(outcome.text)")
    #expect(failed.first?.contains("The wrong room is expected") == true)
    #expect(outcome.text.contains("wanted turn on the bedroom light"))
    #expect(outcome.errors.contains("\(files.count - 1) of \(files.count) scenarios passed"))
    let page = try String(contentsOf: workshop.folder.appending(path: "r.html"), encoding: .utf8)
    #expect(page.contains("data:audio/ogg;base64,") && !page.contains("http://localhost"))
    let junit = try String(contentsOf: workshop.folder.appending(path: "r.xml"), encoding: .utf8)
    #expect(junit.contains("tests=\"\(files.count)\" failures=\"1\" errors=\"0\""))
  }

  /// A scenario that takes minutes of work.
  private static let endless = good.replacing(
    "Ben says \"hello\"", with: "Ben says \"\(String(repeating: "hello ", count: 16_000))\"")

  @Test func `a scenario that does not end is ended, and the others run`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    _ = try workshop.write(Self.good, to: "good.scenario")
    _ = try workshop.write(Self.endless, to: "endless.scenario")
    let outcome = try await tool(workshop, "test", "endless.scenario", "--timeout", "1").run()
    #expect(outcome.status == 65)
    #expect(outcome.text.contains("It did not end within 1 second."), "\(outcome.text)")
    #expect(try await tool(workshop, "test", "good.scenario").run().status == 0)
  }

  @Test func `a scenario ends when the program that runs it is killed`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    _ = try workshop.write(Self.endless, to: "endless.scenario")
    // Prints a line when the scenario's own process is gone.
    let script = """
      "$@" & parent=$!
      until child=$(cat /proc/$parent/task/*/children 2> /dev/null) && [ -n "$child" ]; do :; done
      kill -KILL $parent
      tail --pid=$child -f /dev/null
      echo "the child has ended"
      """
    let outcome = try await tool(workshop, "test", "endless.scenario").throughShell(script).run()
    #expect(outcome.text.contains("the child has ended"), "\(outcome.errors)")
  }

  @Test func `an invalid scenario is reported with its position, and the others run`() async throws
  {
    let workshop = try Workshop()
    defer { workshop.clear() }
    _ = try workshop.write(Self.good, to: "good.scenario")
    _ = try workshop.write("recogniser exakt\n", to: "bad.scenario")
    _ = try workshop.write("recogniser exact\n", to: "empty.scenario")
    let outcome = try await tool(workshop, "test", ".", "--jobs", "2").run()
    #expect(outcome.status == 65)
    #expect(
      outcome.text.contains("bad.scenario:1:12: ")
        && outcome.text.contains("Did you mean “exact”?"), "\(outcome.text)")
    #expect(outcome.text.contains("✔ Hello"))
    #expect(outcome.text.contains("There are no expectations."))
    let missing = try await tool(workshop, "test", "nowhere.scenario").run()
    #expect(missing.status == 66)
  }

  @Test func `an update writes expectations that are met`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let text = Self.good.replacing("Hello to you.\" within", with: "Good bye.\" within")
    _ = try workshop.write(text, to: "a.scenario")
    #expect(try await tool(workshop, "test", "a.scenario").run().status == 1)
    let update = try await tool(workshop, "test", "a.scenario", "--update").run()
    #expect(update.status == 0, "\(update.errors)")
    #expect(update.errors.contains("what happened is expected now"))
    #expect(try await tool(workshop, "test", "a.scenario").run().status == 0)
    let again = try await tool(workshop, "test", "a.scenario", "--update").run()
    #expect(again.errors.contains("as it was"))
  }

  @Test func `the outcome does not depend on the number of jobs`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    for name in ["a", "b", "c"] {
      _ = try workshop.write(Self.good + "\nnoise pink 10 dB\n", to: "\(name).scenario")
    }
    func logs(_ jobs: String) async throws -> [String] {
      let outcome = try await tool(workshop, "test", ".", "--json", "--jobs", jobs).run()
      struct Row: Decodable { var log: String }
      return try JSONDecoder().decode([Row].self, from: outcome.output).map(\.log)
    }
    let one = try await logs("1")
    #expect(one.count == 3 && Set(one).count == 1)
    #expect(try await logs("3") == one)
  }

  @Test func `the lab saves a baseline and finds a regression`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    _ = try workshop.write(
      "#JSGF V1.0; grammar g; public <a> = turn ( on | off ) the light;", to: "g.gram")
    let usual = ["g.gram", "--voices", "2", "--noise", "clean"]
    var first = Tool(["lab"] + usual + ["--save", "base.json"])
    first.folder = workshop.folder
    let saved = try await first.run()
    #expect(saved.status == 0, "\(saved.errors)")
    #expect(saved.text.contains("pocketsphinx:balanced"))
    var second = Tool(["lab"] + usual + ["--baseline", "base.json", "--html", "lab.html"])
    second.folder = workshop.folder
    let same = try await second.run()
    #expect(same.status == 0, "\(same.errors)")
    #expect(same.errors.contains("+0.00 points"), "\(same.errors)")
    let broken = try await tool(workshop, "lab", "g.gram", "--baseline", "g.gram").run()
    #expect(broken.status == 65)
  }
}

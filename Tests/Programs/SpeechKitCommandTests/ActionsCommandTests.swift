#if Cloud
import AIServices
import Foundation
import SpeechActions
import SpeechKit
import TestSupport
import Testing

@testable import speechkit

struct ActionsCommandTests {
  private func rows(_ home: ActionWorkshop) async throws -> [[String: SendableValue]] {
    let listed = try await home.run("actions", "list", "--archived", "--json")
    return try JSONDecoder().decode([[String: SendableValue]].self, from: listed.output)
  }

  @Test func `built-in actions exist without a configuration`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let listed = try await home.run("actions", "list")
    #expect(listed.status == 0, "\(listed.errors)")
    #expect(listed.lines.first?.hasPrefix("ID ") == true)
    #expect(listed.lines.contains { $0.hasPrefix("translate ") && $0.hasSuffix("default") })
    #expect(try await home.run("actions", "default").text == "translate\n")
    #expect(!FileManager.default.fileExists(atPath: home.file))
  }

  @Test func `an action is added, shown, cloned, archived and made the default`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("here")
    let added = try await home.run(
      "actions", "add", "haiku", "--name", "Make a haiku", "--prompt",
      "A haiku in the manner of {{poet}}: {{text}}", "--variable", "poet=Bashō", "-c", "here",
      "--mode", "hedged", "--hedge-after", "800ms", "--deadline", "20s", "--spending-cap", "0.5",
      "--spending-period", "day", "--after", "clean-up", "--after", "replace", "--format",
      "Three lines.", "--privacy", "this-machine", "--cache", "1h", "--retries", "1")
    #expect(added.status == 0, "\(added.errors)")
    let shown = try await home.run("actions", "show", "haiku")
    #expect(shown.lines.first == "[action.haiku]")
    for line in [
      "name = \"Make a haiku\"", "mode = \"hedged\"", "hedge-after = \"800ms\"",
      "connectors = [\"here\"]", "deadline = \"20s\"", "spending-cap = 0.5", "cache = \"1h\"",
      "privacy = \"this-machine\"", "[action.haiku.variables]", "poet = \"Bashō\"",
    ] { #expect(shown.lines.contains(line), "\(line) in \(shown.text)") }

    let copy = try await home.run("actions", "clone", "Make a haiku", "Long haiku")
    #expect(copy.text == "long-haiku\n", "\(copy.errors)")
    #expect(try await home.run("actions", "default", "long-haiku").status == 0)
    #expect(try await home.run("actions", "archive", "long-haiku").status == 0)
    #expect(try await home.run("actions", "default").text != "long-haiku\n")
    let refused = try await home.run("actions", "default", "long-haiku")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("archived"))
    let row = try #require(try await rows(home).first { $0["id"] == "long-haiku" })
    #expect(row["isArchived"] == true)
    #expect(row["hedgeAfterMilliseconds"] == 800)
    #expect(try await home.run("actions", "archive", "long-haiku", "--restore").status == 0)
    #expect(try await home.run("actions", "archive", "long-haiku", "--delete").status == 0)
    #expect(try await rows(home).contains { $0["id"] == "long-haiku" } == false)
  }

  @Test func `options change and remove settings`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let changed = try await home.run(
      "actions", "edit", "translate", "--mode", "parallel", "--deadline", "3s", "--unset", "system")
    #expect(changed.status == 0, "\(changed.errors)")
    let row = try #require(try await rows(home).first { $0["id"] == "translate" })
    #expect(row["mode"] == "parallel")
    #expect(row["deadlineMilliseconds"] == 3_000)
    #expect(row["system"] == "")
    #expect(try await home.run("actions", "edit", "translate", "--unset", "deadline").status == 0)
    #expect(try !home.fileText().contains("deadline"))
  }

  @Test(arguments: [
    (["actions", "show", "tarnslate"], 69, "Did you mean “translate”?"),
    (["actions", "add", "bad id", "--prompt", "x"], 65, "is not a valid id"),
    (["actions", "add", "translate", "--prompt", "x"], 65, "already"),
    (["actions", "add", "new", "--prompt", "{{txet}}"], 65, "Did you mean “text”?"),
    (["actions", "add", "new", "--prompt", "{{#if text}}"], 65, "{{/if}}"),
    (["actions", "add", "new", "--prompt", "x", "-c", "nobody"], 65, "no connector “nobody”"),
    (["actions", "add", "new", "--mode", "parallel"], 64, "needs a --prompt"),
    (["actions", "add", "new", "--prompt", "x", "--output", "json"], 64, "--schema"),
    (["actions", "edit", "translate", "--deadline", "soon"], 64, "800ms, 20s, 2m or 1h"),
    (["actions", "edit", "translate"], 69, "There is no editor"),
  ])
  func `errors are reported, and nothing is written`(
    arguments: [String], status: Int32, message: String
  ) async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let outcome = try await home.tool(arguments, ["PATH": "/nonexistent"]).run()
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: home.file))
  }

  /// A script that edits the file of its last argument, as an editor would.
  private func editor(_ home: ActionWorkshop, _ script: String) throws -> [String: String] {
    let file = home.workshop.folder.appending(path: "editor")
    try ShellScript.write(script, to: file)
    return ["EDITOR": "\(file.path) --wait"]
  }

  @Test func `an action is edited as text of the configuration file`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("here")
    let edited = try await home.run(
      "actions", "edit", "summarise",
      with: try editor(home, #"sed -i 's/^name = .*/name = "Shorten"/' "$2""#))
    #expect(edited.status == 0, "\(edited.errors)")
    #expect(try await home.run("actions", "show", "Shorten").status == 0)
    let same = try await home.run("actions", "edit", "summarise", with: try editor(home, "true"))
    #expect(same.errors.contains("Nothing was changed."))
    let given = try await home.run("actions", "edit", "summarise", with: try editor(home, "exit 3"))
    #expect(given.status == 69)
    #expect(given.errors.contains("failed with status 3"))
  }

  @Test func `an invalid edit is refused with its line, and the text is kept`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let text = """
      [action.tone]
      name = "Tone"
      prompt = '''
      Look:
      {{txet}}'''
      mode = "paralel"
      """
    let source = try home.workshop.write(text, to: "new.toml")
    let outcome = try await home.run(
      "actions", "edit", "tone", with: try editor(home, "cp '\(source)' \"$2\""))
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("5:"), "\(outcome.errors)")
    #expect(outcome.errors.contains("Did you mean “text”?"))
    #expect(outcome.errors.contains("6:8: action.tone.mode"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: home.file))
    let told = outcome.errors.firstMatch(of: /kept in (.+\.toml)\./)
    let kept = try #require(told?.output.1)
    #expect(try String(contentsOfFile: String(kept), encoding: .utf8) == text)
    try FileManager.default.removeItem(
      at: URL(filePath: String(kept)).deletingLastPathComponent())
  }

  @Test func `an edit of a file that changed in the meantime is refused and kept`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    // The other program is the tool itself, run within the editor.
    let script = """
      '\(Tool.executable.path)' actions edit translate --deadline 9s
      sed -i 's/^name = .*/name = "Shorten"/' "$2"
      """
    let refused = try await home.run(
      "actions", "edit", "summarise", with: try editor(home, script))
    #expect(refused.status == 73, "\(refused.errors)")
    #expect(refused.errors.contains("changed after it was read"), "\(refused.errors)")
    #expect(refused.errors.contains("repeat your change"))
    #expect(try home.fileText().contains("deadline = \"9s\""))
    #expect(try !home.fileText().contains("Shorten"))
    let match = refused.errors.firstMatch(of: /kept in (.+\.toml)\./)
    let kept = String(try #require(match?.output.1))
    #expect(try String(contentsOfFile: kept, encoding: .utf8).contains("Shorten"))
    try FileManager.default.removeItem(at: URL(filePath: kept).deletingLastPathComponent())
  }

  @Test func `commands note that a text is appended to a prompt without a place for it`()
    async throws
  {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let note = "The prompt does not contain {{text}}, so the text is appended to it."
    let added = try await home.run("actions", "add", "short", "--prompt", "Summarise.")
    #expect(added.status == 0 && added.errors.contains(note), "\(added.errors)")
    let shown = try await home.run("actions", "preview", "short", "A long text.")
    #expect(shown.text.hasPrefix("Summarise.\n\nA long text.\n"), "\(shown.text)")
    #expect(shown.errors.contains(note))
    let json = try await home.run("actions", "preview", "short", "A long text.", "--json")
    #expect(json.text.contains(#""appendsText":true"#), "\(json.text)")
    let changed = try await home.run("actions", "edit", "short", "--prompt", "Shorten.")
    #expect(changed.status == 0 && changed.errors.contains(note), "\(changed.errors)")
    let fixed = try await home.run("actions", "edit", "short", "--prompt", "Shorten: {{text}}")
    #expect(fixed.status == 0 && !fixed.errors.contains(note), "\(fixed.errors)")
  }

  @Test func `a cached answer serves the next run, and is listed and removed`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("here")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["Good day."]) }
    let count = { home.server.requests.count { $0.target == ActionWorkshop.chatPath } }
    #expect(try await home.run("actions", "edit", "translate", "--cache", "1h").status == 0)
    for _ in 0..<2 {
      let run = try await home.run("run", "translate", "Guten Tag")
      #expect(run.text == "Good day.\n", "\(run.errors)")
    }
    // The console lists the runs of other programs.
    let history = RunHistory(file: URL(filePath: home.workshop.path("state/speechkit/runs.json")))
    #expect(await history.runs().map(\.text) == ["Guten Tag", "Guten Tag"])
    #expect(count() == 1)
    let listed = try await home.run("actions", "cache")
    #expect(listed.lines.count == 2 && listed.lines[0].hasPrefix("CONNECTOR"), "\(listed.text)")
    #expect(listed.lines[1].hasPrefix("here ") && listed.lines[1].hasSuffix("Good day."))
    let json = try await home.run("actions", "cache", "--json")
    let rows = try JSONDecoder().decode([[String: SendableValue]].self, from: json.output)
    #expect(rows.first?["text"] == "Good day." && rows.first?["connector"] == "here")
    #expect(try await home.run("actions", "cache", "--clear").errors.contains("Removed 1"))
    #expect(try await home.run("actions", "cache").text.isEmpty)
    #expect(try await home.run("run", "translate", "Guten Tag").text == "Good day.\n")
    #expect(count() == 2)
  }

  @Test func `a preview shows the origin of each value`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let preview = try await home.run(
      "actions", "preview", "translate", "Guten {{Tag}}", "--to", "es")
    #expect(preview.status == 0, "\(preview.errors)")
    #expect(preview.text.contains("into Spanish."))
    #expect(preview.text.contains("Guten {{Tag}}"))
    #expect(preview.errors.contains("{{target_language}}  input  Spanish"), "\(preview.errors)")
    let usual = try await home.run("actions", "preview", "translate", "-", saying: "Guten Tag")
    #expect(usual.errors.contains("{{target_language}}  words  English"), "\(usual.errors)")
    let json = try await home.run("actions", "preview", "summarise", "x", "--json")
    let value = try JSONDecoder().decode([String: SendableValue].self, from: json.output)
    #expect(value["prompt"]?.dictionaryValue?["text"]?.stringValue?.contains("three") == true)
    #expect(home.server.requests.isEmpty)
  }

  @Test func `a configuration is shared with others`() async throws {
    let (mine, other) = (try ActionWorkshop(), try ActionWorkshop())
    defer {
      mine.clear()
      other.clear()
    }
    try await mine.addConnector("here", "--key-from", "work")
    _ = try await mine.run("actions", "edit", "tone", "--name", "Mood")
    let exported = try await mine.run("actions", "export")
    #expect(exported.text.contains("credential = \"work\""))
    let imported = try await other.run("actions", "import", "-", saying: exported.text)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.errors.contains("Added: here."))
    #expect(imported.errors.contains("Kept: tone."))
    let renamed = try await other.run(
      "actions", "import", "-", "--on-clash", "rename", saying: exported.text)
    #expect(renamed.errors.contains("tone → tone-2"), "\(renamed.errors)")
    let broken = try await other.run("actions", "import", "-", saying: "nonsense")
    #expect(broken.status == 65)
    #expect(broken.errors.contains("1:"))
  }
}
#endif

#if Cloud
import AIServiceTesting
import Foundation
import SpeechDesktop
import SpeechKit
import Testing

@testable import speechkit

struct SetupCommandTests {
  @Test func `setup from piped answers leads to the first answer`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["Hola."]) }
    let answers = [
      "4", home.baseURL, "small", "", "gate", "yes", "translate", "es", "sway", "Ctrl+Alt+T",
    ]
    let setup = try await home.run("setup", saying: answers.joined(separator: "\n"))
    #expect(setup.status == 0, "\(setup.errors)")
    #expect(setup.errors.contains("gate  works  "), "\(setup.errors)")
    #expect(
      setup.text.contains(
        "bindsym Ctrl+Alt+t exec \(Tool.executable.path) run translate --selection"),
      "\(setup.text)")
    let run = try await home.run("run", saying: "Good day.")
    #expect(run.text == "Hola.\n", "\(run.errors)")
    let words = try ActionWorkshop.words(of: try #require(home.server.requests.last))
    #expect(words.last?.contains("into Spanish") == true)

    // A second time, without changes.
    let before = try home.fileText()
    let again = try await home.run("setup", saying: "\n\n\nnone\n")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try home.fileText() == before)
  }

  @Test func `setup with --yes asks no questions`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["OK"]) }
    let setup = try await home.run(
      "setup", "--yes", "--connector", "here", "--base-url", home.baseURL, "--action", "summarise",
      "--to", "German")
    #expect(setup.status == 0, "\(setup.errors)")
    #expect(try await home.run("actions", "default").text == "summarise\n")
    #expect(try home.fileText().contains("target_language = \"German\""))
    let broken = try await home.run(
      "setup", "-y", "-c", "gone", "--base-url", "http://127.0.0.1:9/v1")
    #expect(broken.status == 69)
    #expect(broken.errors.contains("gone  refused"), "\(broken.errors)")
    #expect(!(try home.fileText().contains("connector.gone")))
    let kept = try await home.run(
      "setup", "-y", "-c", "gone", "--base-url", "http://127.0.0.1:9/v1", "--no-test")
    #expect(kept.status == 0)
    #expect(try home.fileText().contains("connector.gone"))
  }

  @Test func `missing answers are reported`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    // Without answers, the default service is tried once; it does not exist.
    for answers in ["server\n", "here\nhttp://127.0.0.1:9/v1\n"] {
      let outcome = try await home.run("setup", saying: answers)
      #expect(outcome.status == 66)
      #expect(outcome.errors.contains("answers ended"))
    }
  }

  @Test(arguments: HotKey.Desktop.allCases)
  func `a hot key is printed for each desktop`(desktop: HotKey.Desktop) async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let outcome = try await home.run(
      "setup", "--hot-key", desktop.rawValue, "--keys", "Super+T", "--action", "correct")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("run correct --selection --replace"))
    #expect(!FileManager.default.fileExists(atPath: home.file))
    let wrong = try await home.run("setup", "--hot-key", desktop.rawValue, "--keys", "T")
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("Super+T"))
  }
}
#endif

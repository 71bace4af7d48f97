import Foundation
import SpeechKit
import Testing

/// Daemons and `<&-` in a shell start programs without standard input or output.
struct StandardDescriptorsTests {
  @Test func `closed standard input is empty`() async throws {
    let speaking = try await Tool("say", "-", "-o", "-").throughShell("exec \"$@\" <&-").run()
    #expect(speaking.status == 65)
    #expect(speaking.errors.contains("nothing to speak"), "\(speaking.errors)")
    let grammar = try await Sounds.shared.grammar()
    let hearing = try await Tool("transcribe", "-g", grammar, "-").throughShell("exec \"$@\" <&-")
      .run()
    #expect(hearing.status == 65)
    #expect(hearing.errors.contains("standard input"), "\(hearing.errors)")
  }

  @Test(arguments: [">&-", "<&- >&-"])
  func `writing a result to closed standard output is an error`(closing: String) async throws {
    let grammar = try await Sounds.shared.grammar()
    let sound = try await Sounds.shared.command()
    for arguments in [
      ["version"], ["say", "hello", "-o", "-"], ["transcribe", "-g", grammar, sound],
    ] {
      let outcome = try await Tool(arguments).throughShell("exec \"$@\" \(closing)").run()
      #expect(outcome.status == 74, "\(arguments)")
      #expect(
        outcome.errors == "speechkit: Standard output could not be written: Bad file descriptor.\n")
    }
  }

  @Test func `a file is written with all three descriptors closed`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let path = workshop.path("hello.wav")
    let outcome = try await Tool("say", "hello", "-o", path)
      .throughShell("exec \"$@\" <&- >&- 2>&-").run()
    #expect(outcome.status == 0)
    #expect(try AudioFile.read(URL(filePath: path)).level > -40)
    #expect(workshop.names == ["hello.wav"])
  }

  @Test func `a signal ends a program without standard input`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let text = try workshop.write(String(repeating: "Hello again. ", count: 20_000), to: "long.txt")
    var tool = Tool("say", "--file", text, "-o", "-")
    // Without `timeout`, which would not pass the signal on.
    tool.launcher = ["/bin/sh", "-c", "exec \"$@\" <&-", "sh"]
    let running = try tool.start()
    #expect(await running.read(4) == Data("RIFF".utf8))
    running.send(SIGTERM)
    let patience = Task {
      try await Task.sleep(for: .seconds(300))
      running.send(SIGKILL)
    }
    let outcome = await running.outcome()
    patience.cancel()
    #expect(outcome.signal == nil)
    #expect(outcome.status == 143)
  }
}

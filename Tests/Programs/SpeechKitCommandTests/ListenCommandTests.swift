import Foundation
import SpeechKit
import TestSupport
import Testing

struct ListenCommandTests {
  @Test func `a long phrase is quoted in part`() async throws {
    let phrase = String(repeating: "xqzzk", count: 20_000)
    let outcome = try await Tool("listen", "--keyphrase", phrase, "--file", Sounds.shared.command())
      .run()
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("the dictionary lacks"))
    #expect(outcome.errors.count < 1_000)
  }

  private func listen(_ arguments: String...) async throws -> Tool.Outcome {
    let file = try await Sounds.shared.command()
    return try await Tool(["listen", "--file", file] + arguments).run()
  }

  @Test func `away from a terminal only final words are written`() async throws {
    let outcome = try await listen("--grammar", Sounds.shared.grammar())
    #expect(outcome.status == 0)
    #expect(outcome.text == Sounds.command + "\n")
    #expect(outcome.errors.isEmpty)
  }

  @Test func `JSON has partial and final words, one object per line`() async throws {
    let outcome = try await listen("--grammar", Sounds.shared.grammar(), "--json")
    #expect(outcome.status == 0)
    let objects = try outcome.lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let last = try #require(objects.last)
    #expect(last["isFinal"] as? Bool == true)
    #expect(last["text"] as? String == Sounds.command)
    #expect((last["words"] as? [[String: Any]])?.count == 4)
    #expect(objects.contains { $0["isFinal"] as? Bool == false })
    #expect(Set(objects.compactMap { $0["utterance"] as? String }).count == 1)
  }

  @Test func `rejections are reported separately, in JSON as lines`() async throws {
    let file = try await Sounds.shared.commandAndChatter()
    let grammar = try await Sounds.shared.grammar()
    let arguments = ["listen", "--file", file, "--grammar", grammar, "--silence", "0.3"]
    let plain = try await Tool(arguments).run()
    #expect(plain.status == 0)
    #expect(plain.lines == [Sounds.command])
    let reports = plain.errors.split(separator: "\n").filter { $0.contains("Rejected") }
    #expect(reports.count == 1, "\(plain.errors)")
    #expect(reports.first?.hasPrefix("speechkit: Rejected what was said from") == true)
    #expect(reports.first?.hasSuffix("--accept off accepts it.") == true)
    let all = try await Tool(arguments + ["--accept", "off"]).run()
    #expect(all.lines.first == Sounds.command && all.lines.count == 2)
    #expect(all.errors.isEmpty, "\(all.errors)")
    let objects = try await Tool(arguments + ["--json"]).run().lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let finals = objects.filter { $0["isFinal"] as? Bool == true }
    #expect(finals.map { $0["text"] as? String } == [Sounds.command])
    let rejected = objects.filter { $0["rejected"] as? Bool == true }
    #expect(!rejected.isEmpty)
    for line in rejected {
      #expect(line["isFinal"] == nil)
      #expect((line["confidence"] as? Double ?? 1) < 0.58)
      #expect((line["start"] as? Double ?? 9) < (line["end"] as? Double ?? 0))
    }
  }

  @Test func `once ends after the first utterance`() async throws {
    let many = try await Sounds.shared.manyCommands()
    let outcome = try await Tool(
      "listen", "--once", "--silence", "0.3", "--grammar", Sounds.shared.grammar(), "--file", many
    ).run()
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 1)
  }

  @Test func `once fails without speech`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let path = workshop.path("silence.wav")
    try AudioFile.write(.silence(.seconds(1), format: .recognition), to: URL(filePath: path))
    let outcome = try await Tool("listen", "--once", "--file", path).run()
    #expect(outcome.status == 65)
    #expect(outcome.output.isEmpty)
  }

  @Test func `a key phrase is found within speech`() async throws {
    let outcome = try await listen("--keyphrase", "go forward")
    #expect(outcome.status == 0)
    #expect(outcome.lines == ["go forward"])
  }

  @Test func `a command is recognised after a key phrase`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let grammar = try workshop.write(
      "#JSGF V1.0; grammar g; public <c> = ten meters | ten miles;", to: "distance.gram")
    let outcome = try await listen(
      "--keyphrase", "go forward //0.5/", "--grammar", grammar, "--window", "3")
    #expect(outcome.status == 0)
    #expect(outcome.lines == ["ten meters"])
    let json = try await listen("-k", "go forward", "-g", grammar, "--json", "--once")
    #expect(json.text.contains("\"keyPhrase\":"))
  }

  @Test func `a key phrase without a pronunciation is refused`() async throws {
    let outcome = try await listen("--keyphrase", "hello ***")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("***"), "\(outcome.errors)")
  }

  @Test func `a terminal shows the words while they are spoken`() async throws {
    // `script` runs a command on its own terminal, which the tool has no other way to get.
    let grammar = try await Sounds.shared.grammar()
    let file = try await Sounds.shared.command()
    let script = try await FinishedProgram(
      running: "script",
      [
        "-qec", "'\(Tool.executable.path)' listen --grammar '\(grammar)' --file '\(file)'",
        "/dev/null",
      ],
      environment: ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 })
    let shown = script.text
    #expect(script.status == 0)
    #expect(shown.contains("\rgo forward ten\u{1B}[K"), "\(shown.debugDescription)")
    #expect(shown.contains("\r\u{1B}[K\(Sounds.command)\r\n"))
  }

  @Test(arguments: [
    (["listen"], 69, "No microphone was found"),
    (["listen", "--device", "nonsense"], 69, "No microphone was found"),
    (["listen", "--file", "/nonexistent.wav"], 66, "There is no file"),
    (["listen", "--file", "/etc/passwd"], 65, "is not supported audio"),
    (["listen", "--file", "a", "--device", "b"], 64, "either --file or --device"),
    (["listen", "--dictate"], 64, "--grammar or --keyphrase"),
    (["listen", "-g", "x", "--dictate", "--accept", "off"], 64, "rejects nothing"),
    (["listen", "-k", "hello /x/"], 64, "not a threshold"),
    (["listen", "--window", "3"], 64, "--window goes with"),
    (["listen", "-k", "x", "--spotter", "wyoming:h:1"], 64, "--spotter goes with"),
    (["listen", "--accept", "recommended"], 64, "--accept needs --grammar"),
    (["listen", "-g", "x", "--accept", "2"], 64, "a number from 0 to 1"),
    (["listen", "--vocabulary", "x"], 64, "--vocabulary goes with --check"),
    (["listen", "-g", "x", "--check", "words"], 64, "--check is for dictation"),
    (["listen", "--check", "mark", "--vocabulary", "/nonexistent"], 66, "There is no file"),
    (["listen", "--recogniser", "openai-live@http://127.0.0.1:9"], 64, "openai-live:MODEL@URL"),
    (["listen", "--silence", "0"], 64, "--silence takes a number"),
    (["listen", "--language", "tlh"], 69, "No model for “tlh”"),
  ])
  func `each failure has its exit code and a suggestion`(
    arguments: [String], status: Int32, message: String
  ) async throws {
    let outcome = try await Tool(arguments).run()
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    // No log output of ALSA or JACK.
    #expect(outcome.errors.split(separator: "\n").count <= 2, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }
}

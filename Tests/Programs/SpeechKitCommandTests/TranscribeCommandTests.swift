import Foundation
import SpeechKit
import Testing

@testable import speechkit

struct TranscribeCommandTests {
  private func transcribe(_ arguments: String...) async throws -> Tool.Outcome {
    let grammar = try await Sounds.shared.grammar()
    return try await Tool(["transcribe", "--grammar", grammar] + arguments).run()
  }

  @Test func `a file becomes a line of text`() async throws {
    let outcome = try await transcribe(Sounds.shared.command())
    #expect(outcome.status == 0)
    #expect(outcome.text == Sounds.command + "\n")
    #expect(outcome.errors.isEmpty)
  }

  @Test func `standard input can be transcribed`() async throws {
    let grammar = try await Sounds.shared.grammar()
    var tool = Tool("transcribe", "--grammar", grammar, "-")
    tool.input = try Data(contentsOf: URL(filePath: await Sounds.shared.command()))
    #expect(try await tool.run().text == Sounds.command + "\n")
  }

  @Test func `dictation recognises words without a grammar`() async throws {
    let outcome = try await Tool("transcribe", "--preset", "fast", Sounds.shared.command()).run()
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("forward"))
  }

  @Test func `JSON is a line per file with times in seconds`() async throws {
    struct Line: Decodable {
      var file: String
      var duration: Double
      var text: String
      var segments: [TranscriptSegment]
    }
    let file = try await Sounds.shared.command()
    for arguments in [["--json"], ["--format", "json"], ["-f", "json"]] {
      let outcome = try await Tool(
        ["transcribe", "--grammar", try await Sounds.shared.grammar(), file, file] + arguments
      ).run()
      #expect(outcome.status == 0)
      #expect(outcome.lines.count == 2)
      for text in outcome.lines {
        let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        #expect(line.file == file)
        #expect(line.text == Sounds.command)
        #expect((1...4).contains(line.duration))
        let words = line.segments.flatMap(\.words)
        #expect(words.map(\.text) == ["go", "forward", "ten", "meters"])
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.end <= $1.start + 0.001 })
      }
    }
  }

  @Test func `the transcript of a truncated file is marked incomplete`() async throws {
    struct Line: Decodable {
      var complete: Bool
      var duration: Double
    }
    let workshop = try Workshop()
    defer { workshop.clear() }
    let whole = try Data(contentsOf: URL(filePath: await Sounds.shared.command()))
    let part = workshop.path("part.wav")
    try whole.prefix(whole.count / 2).write(to: URL(filePath: part))
    let outcome = try await transcribe("--json", part)
    #expect(outcome.status == 0)
    let line = try JSONDecoder().decode(Line.self, from: Data(outcome.text.utf8))
    #expect(!line.complete)
    #expect(line.duration > 0.3)
    #expect(outcome.errors.contains("part.wav” is cut off"))
    #expect(
      try await transcribe("--format", "vtt", part).text.contains("NOTE Incomplete: cut off here"))
  }

  @Test func `rejected speech is left out and reported`() async throws {
    struct Line: Decodable {
      struct Rejection: Decodable {
        var start: Double
        var end: Double
        var text: String
        var confidence: Double
      }
      var text: String
      var rejected: [Rejection]?
    }
    let file = try await Sounds.shared.commandAndChatter()
    let plain = try await transcribe(file)
    #expect(plain.status == 0)
    #expect(plain.lines == [Sounds.command])
    #expect(plain.errors.contains("Rejected what was said from"))
    let outcome = try await transcribe("--json", file)
    #expect(outcome.errors.isEmpty)
    let line = try JSONDecoder().decode(Line.self, from: Data(outcome.text.utf8))
    #expect(line.text == Sounds.command)
    let rejected = try #require(line.rejected)
    #expect(!rejected.isEmpty)
    #expect(rejected.allSatisfy { $0.confidence < 0.58 && $0.start < $0.end })
    // Nothing can be rejected, so there is no list of rejections.
    let all = try await transcribe("--json", "--accept", "off", file)
    let accepted = try JSONDecoder().decode(Line.self, from: Data(all.text.utf8))
    #expect(accepted.rejected == nil)
    #expect(accepted.text.hasPrefix(Sounds.command + " "))
  }

  @Test func `subtitles are written`() async throws {
    let file = try await Sounds.shared.command()
    #expect(try await transcribe("--format", "srt", file).text.hasPrefix("1\n00:00:0"))
    #expect(try await transcribe("--format", "vtt", file).text.hasPrefix("WEBVTT\n"))
  }

  @Test func `one bad file among several does not stop the others`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let good = try await Sounds.shared.command()
    let junk = try workshop.write("no sound at all", to: "junk.wav")
    let outcome = try await transcribe("--tabbed", good, junk, workshop.path("missing.wav"), good)
    #expect(outcome.status == 65)
    #expect(outcome.lines == Array(repeating: "\(good)\t\(Sounds.command)", count: 2))
    #expect(outcome.errors.contains("junk.wav"))
    #expect(outcome.errors.contains("missing.wav"))
    let other = try await transcribe(workshop.path("missing.wav"), junk)
    #expect(other.status == 66)
  }

  @Test func `text of several files has their names above it`() async throws {
    let file = try await Sounds.shared.command()
    let outcome = try await transcribe(file, file)
    let part = "==> \(file) <==\n\(Sounds.command)\n"
    #expect(outcome.text == part + "\n" + part)
  }

  @Test func `output goes into a file or a folder, in the format of the extension`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let file = try await Sounds.shared.command()
    let copy = workshop.path("copy.wav")
    try FileManager.default.copyItem(atPath: file, toPath: copy)
    let first = try await transcribe(file, "-o", workshop.path("out.srt"))
    #expect(first.status == 0)
    #expect(first.output.isEmpty)
    #expect(try workshop.text(of: "out.srt").hasPrefix("1\n"))
    let second = try await transcribe(file, copy, "-o", workshop.path("texts"), "--format", "vtt")
    #expect(second.status == 0, "\(second.errors)")
    #expect(try workshop.text(of: "texts/copy.vtt").hasPrefix("WEBVTT"))
    #expect(try workshop.text(of: "texts/command.vtt").hasPrefix("WEBVTT"))
  }

  @Test(arguments: [
    (["transcribe"], 64, "FILE is missing"),
    (["transcribe", "-", "-"], 64, "only once"),
    (["transcribe", "a", "--tabbed", "--json"], 64, "--tabbed"),
    (["transcribe", "a", "--json", "-f", "srt"], 64, "contradict"),
    (["transcribe", "a", "b", "-f", "srt"], 64, "folder"),
    (["transcribe", "a/x.wav", "b/x.wav", "-o", "/tmp/"], 64, "Two files would be written"),
    (["transcribe", "a", "--preset", "quick"], 64, "fast, balanced, accurate"),
    (["transcribe", "/etc/passwd"], 65, "is not supported audio"),
    (["transcribe", "/nonexistent.wav"], 66, "There is no file"),
    (["transcribe", "/tmp"], 66, "could not be read"),
    (["transcribe", "a", "--grammar", "/nonexistent"], 66, "There is no file"),
    (["transcribe", "a", "--language", "tlh"], 69, "No model for “tlh”"),
    (["transcribe", "a", "--language", "de"], 69, "engines add whisper whisper:base"),
  ])
  func `each failure has its exit code and a suggestion`(
    arguments: [String], status: Int32, message: String
  ) async throws {
    let outcome = try await Tool(arguments).run()
    #expect(outcome.status == status)
    #expect(outcome.errors.hasPrefix("speechkit: "))
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: [
    "no grammar", "#JSGF V1.0;\ngrammar g;\npublic <a> = <b>;",
    "#JSGF V1.0;\ngrammar g;\npublic <a> = <a> go;",
  ])
  func `an invalid grammar is reported with its position, before any file is read`(text: String)
    async throws
  {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let grammar = try workshop.write(text, to: "broken.gram")
    let outcome = try await Tool("transcribe", "--grammar", grammar, "missing.wav").run()
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("grammar"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("missing.wav"))
  }

  @Test func `an empty grammar is read`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let grammar = try workshop.write("", to: "empty.gram")
    let outcome = try await Tool("transcribe", "--grammar", grammar, "missing.wav").run()
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("it has to begin with “#JSGF V1.0;”"), "\(outcome.errors)")
  }

  @Test func `an output that cannot be written is reported`() async throws {
    let file = try await Sounds.shared.command()
    let outcome = try await transcribe(file, "-o", "/dev/full")
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains("No space left"))
  }
}

import Foundation
import SpeechKit
import SpeechLanguageModels
import Testing

struct ModelCommandTests {
  private func tool(_ workshop: Workshop, _ arguments: String...) -> Tool {
    var tool = Tool(arguments)
    tool.environment = ["XDG_DATA_HOME": workshop.folder.path]
    return tool
  }

  /// Sentences of a home automation app.
  private static var sentences: [String] {
    let rooms = ["kitchen", "cellar", "nursery", "hallway", "attic"]
    return rooms.flatMap { room in
      ["lights", "heating", "blinds", "grafana"].flatMap { thing in
        [
          "Turn on the \(thing) in the \(room).", "Turn the \(thing) of the \(room) off!",
          "Set the \(thing) in the \(room) to 20 percent.",
        ]
      }
    }
  }

  @Test func `a model is built from sentences, scored, and used`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let heldOut = "Turn on the blinds in the nursery."
    let text = try workshop.write(
      Self.sentences.filter { $0 != heldOut }.joined(separator: "\n"), to: "sentences.txt")
    let other = try workshop.write(heldOut + "\nturn on the xylophone\n", to: "heldout.txt")
    let folder = workshop.path("home")

    let built = try await tool(workshop, "model", "build", text, "-o", folder).run()
    #expect(built.status == 0, "\(built.errors)")
    #expect(built.lines[0] == "sentences   59, with 453 words", "\(built.text)")
    #expect(built.errors.contains("grafana"))
    let dictionary = try workshop.text(of: "home/model.dict")
    #expect(dictionary.contains("kitchen K IH CH AH N\n"))
    #expect(dictionary.contains("\ngrafana "))

    let scored = try await tool(workshop, "model", "score", "--json", folder, other).run()
    #expect(scored.status == 0, "\(scored.errors)")
    let score = try JSONDecoder().decode(LanguageModelScoreFields.self, from: scored.output)
    #expect(score.wordCount == 11)
    #expect(score.unknownWords == ["xylophone": 1])
    #expect(score.perplexity < 10)
    let shown = try await tool(workshop, "model", "score", folder, other).run()
    #expect(shown.text.contains("coverage            90.9 %"), "\(shown.text)")
    #expect(shown.text.contains("xylophone (1)"))

    let sound = workshop.path("said.wav")
    #expect(
      try await tool(workshop, "say", "-v", "flite:slt", heldOut, "-o", sound).run().status == 0)
    let heard = try await tool(workshop, "transcribe", "--model", folder, sound).run()
    #expect(heard.text == "turn on the blinds in the nursery\n", "\(heard.errors)")
  }

  @Test func `failures to build or score have their exit codes`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let folder = workshop.path("home")
    let empty = try workshop.write("…\n", to: "empty.txt")
    func status(_ arguments: String...) async throws -> Int32 {
      var tool = Tool(["model"] + arguments)
      tool.environment = ["XDG_DATA_HOME": workshop.folder.path]
      return try await tool.run().status
    }
    #expect(try await status("build", empty) == 64)
    #expect(try await status("build", "-o", folder) == 64)
    #expect(try await status("build", empty, "-o", folder, "--order", "5") == 64)
    #expect(try await status("build", empty, "-o", folder, "--boost-share", "0.2") == 64)
    #expect(try await status("build", empty, "-o", folder) == 65)
    #expect(try await status("build", workshop.path("none.txt"), "-o", folder) == 66)
    #expect(try await status("build", empty, "-o", folder, "--language", "tlh") == 69)
    let text = try workshop.write("hello there\n", to: "text.txt")
    #expect(try await status("build", text, "-o", empty + "/home") == 73)
    #expect(try await status("score", folder, text) == 66)
    let broken = try workshop.write("\\data\\\nngram 1=1\n\\1-grams:\nx\n", to: "broken.lm")
    let outcome = try await Tool("model", "score", broken, text).run()
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("line 4"), "\(outcome.errors)")
    #expect(try await Tool("transcribe", "--model", folder, text).run().status == 66)
    #expect(
      try await Tool("transcribe", "--model", folder, "--grammar", text, text).run().status == 64)
  }
}

/// The tested fields of a score.
private struct LanguageModelScoreFields: Decodable {
  var wordCount: Int
  var unknownWords: [String: Int]
  var perplexity: Double
}

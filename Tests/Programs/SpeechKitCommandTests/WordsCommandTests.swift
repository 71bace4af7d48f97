import Foundation
import SpeechKit
import Testing

struct WordsCommandTests {
  private func tool(_ workshop: Workshop, _ arguments: String...) -> Tool {
    var tool = Tool(["words"] + arguments)
    tool.environment = ["XDG_DATA_HOME": workshop.folder.path]
    return tool
  }

  @Test func `a word is explained, set, listed and removed`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let made = try await tool(workshop, "explain", "kubernetes", "3D", "hello").run()
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.lines.first == "kubernetes")
    #expect(made.text.contains("from its spelling"))
    #expect(made.text.contains("TH R IY D IY  from its parts (“three d”)"))
    #expect(made.text.contains("HH AH L OW  from the recogniser's dictionary"))
    #expect(made.text.contains("speechkit words set kubernetes PHONES"))

    let set = try await tool(workshop, "set", "siobhan", "SH AH V ao N, SH IH V AO N").run()
    #expect(set.status == 0, "\(set.errors)")
    #expect(set.text.isEmpty)
    #expect(set.errors.contains("speechkit/pronunciations/en.dict"))
    #expect(try await tool(workshop, "set", "gif", "G", "IH", "F").run().status == 0)
    let listed = try await tool(workshop, "list").run()
    #expect(
      listed.lines == ["gif      G IH F", "siobhan  SH AH V AO N", "siobhan  SH IH V AO N"])
    let corrected = try await tool(workshop, "explain", "siobhan").run()
    #expect(corrected.lines[1] == "  SH AH V AO N  from your dictionary")
    #expect(corrected.text.contains("speechkit words remove siobhan"))

    #expect(try await tool(workshop, "remove", "siobhan").run().status == 0)
    let again = try await tool(workshop, "remove", "siobhan", "gif").run()
    #expect(again.status == 69)
    #expect(again.errors.contains("“siobhan”"))
    let empty = try await tool(workshop, "list", "--json").run()
    #expect(empty.status == 0)
    #expect(empty.text == "[]\n")
    #expect(empty.errors.contains("words set"))
  }

  @Test func `explanations can be JSON`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let outcome = try await tool(workshop, "explain", "--json", "v2").run()
    let explanations = try JSONDecoder().decode([WordExplanation].self, from: outcome.output)
    #expect(explanations.map(\.word) == ["v2"])
    #expect(explanations[0].pronunciations.map(\.reading) == ["v two", "version two"])
  }

  @Test func `unknown phones are refused with the list of known ones`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let outcome = try await tool(workshop, "set", "gif", "G IH QQ").run()
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("QQ. It knows AA AE AH AO AW AY B CH"))
    #expect(try await tool(workshop, "set", "two words", "T UW").run().status == 65)
    #expect(try await tool(workshop, "set", "gif", ",").run().status == 65)
    #expect(try await tool(workshop, "list").run().text.isEmpty)
  }

  @Test func `an error of the dictionary is reported with its line`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let folder = workshop.folder.appending(path: "speechkit/pronunciations")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try workshop.write("gif G IH F\nzot\n", to: "speechkit/pronunciations/en.dict")
    for arguments in [["list"], ["set", "a", "EY"], ["remove", "gif"], ["explain", "gif"]] {
      var tool = Tool(["words"] + arguments)
      tool.environment = ["XDG_DATA_HOME": workshop.folder.path]
      let outcome = try await tool.run()
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("line 2"), "\(outcome.errors)")
    }
  }

  @Test func `words without a pronunciation and languages without a model are errors`() async throws
  {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let mute = try await tool(workshop, "explain", "hello", "…").run()
    #expect(mute.status == 65)
    #expect(mute.text.contains("HH AH L OW"))
    #expect(mute.errors.contains("“…”"))
    #expect(try await tool(workshop, "explain", "--language", "tlh", "x").run().status == 69)
  }

  @Test func `words that no dictionary has are recognised in recordings`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let sound = workshop.path("call.wav")
    let said = try await Tool(
      "say", "-v", "flite:slt", "please call kubernetes now", "-o", sound
    ).run()
    try #require(said.status == 0)
    let grammar = try workshop.write(
      "#JSGF V1.0; grammar g; public <a> = please call (Kubernetes | Grafana | postgres | 3D) now;",
      to: "calls.gram")
    let outcome = try await Tool("transcribe", "--grammar", grammar, sound).run()
    #expect(outcome.text == "please call Kubernetes now\n", "\(outcome.errors)")
  }
}

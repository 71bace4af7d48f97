import Foundation
import SpeechTesting
import Testing

@testable import speechkit

struct GrammarCommandTests {
  private let lights = """
    grammar: lights
    intent one: turn on the light
    intent all: turn on the lights
    intent door: open the garage door
    """

  @Test func `a grammar is checked and summarised`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let file = try workshop.write(lights, to: "lights.commands")
    let checked = try await Tool("grammar", "check", file, "--sentences", "2").run()
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(
      checked.lines.prefix(3) == ["grammar    lights", "intents    one, all, door", "sentences  3"])
    #expect(checked.lines.suffix(2) == ["turn on the light", "turn on the lights"])

    let bad = try workshop.write("intent a: x {room}\nintent b: (x\n", to: "bad.commands")
    let wrong = try await Tool("grammar", "check", bad).run()
    #expect(wrong.status == 65)
    #expect(wrong.lines.count == 2)
    #expect(wrong.lines[0].hasPrefix("bad.commands:1:13: there are no values"))
    #expect(wrong.lines[1].hasPrefix("bad.commands:2:13: found"))
    #expect(wrong.errors.isEmpty)
    let json = try await Tool("grammar", "check", "--json", bad).run()
    #expect(json.status == 65)
    #expect(json.text.contains("\"column\":13,\"file\":\"bad.commands\",\"line\":1"))
    #expect(try await Tool("grammar", "check", workshop.path("none")).run().status == 66)
  }

  @Test func `all commands name the file of an invalid grammar once`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let file = try workshop.write("#JSGF V1.0;\ngrammar g;\npublic <a> = (on;", to: "bad.gram")
    for arguments in [
      ["grammar", "test", file, "x.wav"], ["grammar", "calibrate", file],
      ["grammar", "confusions", file], ["transcribe", "-g", file, "x.wav"],
    ] {
      let outcome = try await Tool(arguments).run()
      #expect(outcome.status == 65)
      #expect(outcome.errors.ranges(of: "bad.gram").count == 1, "\(outcome.errors)")
    }
  }

  @Test func `recordings are compared with the expected texts`() async throws {
    let sound = try await Sounds.shared.command()
    let grammar = try await Sounds.shared.grammar()
    let plain = try await Tool("grammar", "test", grammar, sound).run()
    #expect(plain.status == 0, "\(plain.errors)")
    let fields = plain.text.dropLast().split(separator: "\t")
    #expect(fields.dropFirst().dropLast() == ["-", "go forward ten meters", "move", "-"])
    let right = try await Tool("grammar", "test", grammar, sound, "--expect", Sounds.command).run()
    #expect(right.status == 0)
    #expect(right.errors == "1 of 1 right\n")
    let wrong = try await Tool("grammar", "test", grammar, sound, "--expect", "", "--json").run()
    #expect(wrong.status == 1)
    #expect(wrong.text.contains("\"right\":false"))

    let workshop = try Workshop()
    defer { workshop.clear() }
    let list = try workshop.write(
      "\(sound)\t\(Sounds.command)\n\(sound)\tgo backward\n", to: "all.tsv")
    let both = try await Tool("grammar", "test", grammar, "--manifest", list).run()
    #expect(both.status == 1)
    #expect(both.errors == "1 of 2 right\n")
    let broken = try workshop.write("a.wav\n", to: "broken.tsv")
    let refused = try await Tool("grammar", "test", grammar, "--manifest", broken).run()
    #expect(refused.status == 65)
    #expect(refused.errors.contains("Line 1"))
    #expect(try await Tool("grammar", "test", grammar).run().status == 64)
    #expect(try await Tool("grammar", "test", grammar, "a", "--manifest", list).run().status == 64)
    #expect(try await Tool("grammar", "test", grammar, "none.wav").run().status == 66)
  }

  @Test func `confusions are written as a table, as JSON and as a page`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let file = try workshop.write(lights, to: "lights.commands")
    let few = ["--voices", "2", "--noise", "pink:12", "--seed", "3"]
    let table = try await Tool(
      ["grammar", "confusions", file, "--html", workshop.path("r.html")] + few
    ).run()
    #expect(table.status == 0, "\(table.errors)")
    #expect(table.lines.first == "lights: 3 sentences, all said 2 times each")
    #expect(table.errors.isEmpty)
    #expect(try workshop.text(of: "r.html").hasPrefix("<!DOCTYPE html>"))
    let json = try await Tool(["grammar", "confusions", "--json", file] + few).run()
    let report = try JSONDecoder().decode(ConfusionReport.self, from: json.output)
    #expect(report.text == table.text)
    let nowhere = try await Tool(
      "grammar", "confusions", file, "--html", workshop.path("no/r.html")
    ).run()
    #expect(nowhere.status == 73)
  }

  @Test func `a threshold is recommended`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let file = try workshop.write(lights, to: "lights.commands")
    let outcome = try await Tool(
      "grammar", "calibrate", file, "--voices", "1", "--noise", "clean", "--sentences", "3",
      "--false-accepts", "100"
    ).run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.text.contains("Recommended for at most 100.0 % false accepts: a threshold of 0.00."))
  }

  @Test(arguments: [
    (["--noise", "loud:3"], "--noise takes a list"), (["--noise", "pink"], "--noise takes a list"),
    (["--noise", "clean,clean"], "--noise names “clean” twice"),
    (["--noise", ""], "--noise takes"),
    (["--voices", "0"], "--voices takes a whole number from 1 to 200"),
    (["--seed", "-1"], "--seed takes a whole number"),
    (["--engine", "x"], "“x” is not available; choose from"),
  ])
  func `invalid options are refused`(options: [String], message: String) async throws {
    let outcome = try await Tool(["grammar", "confusions", "x"] + options).run()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}

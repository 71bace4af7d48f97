import AIServiceTesting
import Foundation
import SpeechKit
import SpeechTesting
import Testing

@testable import SpeechCommand
@testable import speechkit

/// `speechkit lab` with services: a real server on this machine, one that is unreachable, and one
/// without a key.
struct LabCommandTests {
  #if Cloud
  /// A server that speaks every text with a voice of Flite, and transcribes any audio as one
  /// sentence.
  private static func serve(_ bench: ActionWorkshop) async throws {
    let sound = try AudioFile.read(
      URL(filePath: try await Sounds.shared.command()), as: .recognition)
    let bytes = sound.samples.withUnsafeBytes { Data($0) }
    bench.server.reply(to: "/v1/audio/speech") { _ in
      .chunked([.bytes(bytes)], headers: ["Content-Type": "audio/pcm; rate=16000"])
    }
    bench.server.reply(to: "/v1/audio/transcriptions") { _ in
      .json(#"{"text":"Go forward 10 meters."}"#)
    }
  }

  @Test func `services are measured with local recognisers, and an unreachable one is a row`()
    async throws
  {
    let bench = try ActionWorkshop()
    defer { bench.clear() }
    try await Self.serve(bench)
    let lines = try bench.workshop.write("go forward ten meters\ngood night\n", to: "lines.txt")
    let page = bench.workshop.path("lab.html")
    let saved = bench.workshop.path("base.json")
    let down = "http://127.0.0.1:9/v1"
    let outcome = try await bench.run(
      "lab", lines, "--recognisers", "fast,openai:small,openai@\(down)", "--server", bench.baseURL,
      "--voice", "openai:alloy", "--voice", "elevenlabs", "--voice", "flite:slt", "--noise",
      "clean",
      "--html", page, "--save", saved)
    #expect(outcome.status == 69, "\(outcome.errors)")
    let report = try JSONDecoder().decode(
      LabReport.self, from: Data(try bench.workshop.text(of: "base.json").utf8))
    #expect(
      report.recognisers.map(\.name) == [
        "pocketsphinx:fast", "openai:small@\(bench.baseURL)", "openai@\(down)",
      ])
    // Two voices speak both lines to every recogniser.
    #expect(report.recognisers.map(\.trials.count) == [4, 4, 0])
    #expect(report.recognisers.map { $0.failure == nil } == [true, true, false])
    // Numbers in digits count as numbers in words.
    #expect(report.recognisers[1].accuracy == Proportion(2, of: 4))
    #expect(
      report.voices.map(\.name) == ["openai:alloy@\(bench.baseURL)", "elevenlabs", "flite:slt"])
    #expect(report.voices.map { $0.failure == nil } == [true, false, true])
    #expect(report.speakers == ["openai:alloy@\(bench.baseURL)", "flite:slt"])
    let asked = bench.server.requests.map(\.target)
    #expect(asked.count { $0 == "/v1/audio/speech" } == 2, "each line is paid for once")
    #expect(asked.count { $0 == "/v1/audio/transcriptions" } == 4)
    #expect(outcome.lines.first?.contains("error") == true, "\(outcome.text)")
    #expect(
      outcome.lines.contains { $0.hasPrefix("openai@\(down) ") && $0.contains("–") },
      "\(outcome.text)")
    #expect(outcome.errors.contains("speechkit: elevenlabs: "), "\(outcome.errors)")
    #expect(try bench.workshop.text(of: "lab.html").contains("elevenlabs"))

    let again = try await bench.run(
      "lab", lines, "--recognisers", "openai@\(down)", "--voice", "flite:slt", "--noise", "clean",
      "--baseline", saved)
    #expect(again.status == 69)
    #expect(again.errors.contains("not compared, because it failed"), "\(again.errors)")
  }
  #endif

  @Test func `a grammar has its rejection curve, in the table, as JSON and on the page`()
    async throws
  {
    let bench = try ActionWorkshop()
    defer { bench.clear() }
    let grammar = try bench.workshop.write(
      "#JSGF V1.0; grammar g; public <a> = turn ( on | off ) the kitchen light;", to: "g.gram")
    let clean = ["lab", grammar, "--voices", "1", "--noise", "clean"]
    let usual = clean + ["--others", "3", "--html", bench.workshop.path("lab.html")]
    let table = try await bench.tool(usual).run()
    #expect(table.status == 0, "\(table.errors)")
    #expect(table.text.contains("Equal error rate "), "\(table.text)")
    #expect(table.lines.contains { $0.hasPrefix("0.50") })
    let page = try bench.workshop.text(of: "lab.html")
    #expect(page.contains("False accepts and false rejects by threshold, pocketsphinx:balanced"))
    let json = try await bench.tool(usual + ["--json"]).run()
    let report = try JSONDecoder().decode(LabReport.self, from: json.output)
    let curve = try #require(report.recognisers.first?.rejection)
    #expect(curve.trials.count { $0.kind == .command } == 2)
    #expect(curve.trials.count { $0.kind == .nearMiss } == 3)
    #expect(curve.area().value > 0.8, "\(curve.area())")
    #expect(json.text.contains("\"equalErrorRate\""))
    let none = try await bench.tool(clean + ["--dictation", "--json"]).run()
    #expect(
      try JSONDecoder().decode(LabReport.self, from: none.output).recognisers[0].rejection == nil)
  }

  #if Cloud
  private static let services = [
    ("opnai", "Did you mean “openai”?"), ("openai@http://", "not the address"),
  ]
  #else
  private static let services: [(String, String)] = []
  #endif

  @Test(
    arguments: [
      ("fastt", "Did you mean “fast”?"), ("vosk", "“vosk” is not available"),
    ] + services)
  func `an unknown recogniser is reported with the nearest name`(name: String, hint: String) {
    let error = #expect(throws: UsageError.self) { try BackendName(recogniser: name, in: .current) }
    #expect(error?.localizedDescription.contains(hint) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    (["lab", "talk.tsv", "--others", "3"], "--others goes with a grammar"),
    (["lab", "lines.txt", "--others", "3"], "--others goes with a grammar"),
    (["lab", "home.commands", "--dictation", "--others", "3"], "--others goes with a grammar"),
    (["lab", "talk.tsv", "--sentences", "3"], "--sentences is for lines and grammars"),
    (["lab", "talk.tsv", "--engine", "espeak"], "leave --voice, --voices and --engine out"),
  ])
  func `options without an effect are refused`(arguments: [String], message: String) async throws {
    let outcome = try await Tool(arguments).run()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func `a recogniser has a model and a server`() throws {
    let preset = try BackendName(recogniser: "accurate", in: .current)
    #expect(preset == BackendName(entry: "pocketsphinx", variant: "accurate"))
    #if Cloud
    #expect(try BackendName(recogniser: "openai", in: .current) == BackendName(entry: "openai"))
    let name = try BackendName(
      recogniser: "openai:@cf/openai/whisper@https://name:word@host/v1?key=1", in: .current)
    #expect(name.variant == "@cf/openai/whisper")
    #expect(name.server == URL(string: "https://name:word@host/v1?key=1"))
    #expect(name.description == "openai:@cf/openai/whisper@https://host/v1")
    #endif
  }
}

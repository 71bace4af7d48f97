import Foundation
import SpeechKit
import Testing

/// The commands that list and check what is installed: voices, devices, doctor.
struct InventoryCommandTests {
  private func objects(_ data: Data) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
  }

  @Test func `voices are listed by names that say accepts`() async throws {
    #if Espeak
    let (language, engine) = ("de", "espeak:de")
    #else
    let (language, engine) = ("en", "flite:")
    #endif
    let outcome = try await Tool("voices", "--language", language).run()
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    let name = try #require(outcome.lines.first?.split(separator: " ").first)
    #expect(name.hasPrefix(engine))
    #expect(try await Tool("say", "ja", "-v", String(name), "-o", "-").run().status == 0)
  }

  @Test func `voices are filtered by engine`() async throws {
    let flite = try await Tool("voices", "-p", "flite").run()
    #expect(flite.lines.contains { $0.hasPrefix("flite:slt") })
    #expect(flite.lines.allSatisfy { $0.hasPrefix("flite:") })
    #if Espeak
    let all = try await Tool("voices").run()
    #expect(all.lines.count > 100)
    #endif
  }

  @Test func `voices as JSON have all details`() async throws {
    let local = SpeechCatalog.standard.voices.filter(\.isLocal).map(\.name)
    let voices = try objects(await Tool("voices", "--json").run().output)
    #expect(Set(voices.compactMap { $0["provider"] as? String }) == Set(local))
    for voice in voices {
      #expect(
        Set(voice.keys) == [
          "voice", "provider", "id", "name", "languages", "gender", "variants",
        ])
    }
  }

  @Test func `an unknown language has no voices`() async throws {
    let outcome = try await Tool("voices", "--language", "tlh", "--json").run()
    #expect(outcome.status == 69)
    #expect(outcome.text == "[]\n")
    #expect(outcome.errors.contains("no voice for “tlh”"))
  }

  @Test func `without devices the list is empty and a suggestion is printed`() async throws {
    let outcome = try await Tool("devices", "--json").run()
    #expect(outcome.status == 69)
    #expect(outcome.text == "[]\n")
    #expect(outcome.errors.contains("sound server"))
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SPEECHKIT_TEST_SINK"] != nil))
  func `devices of a sound server are listed, played on and listened to`() async throws {
    let environment = ["PULSE_SERVER", "XDG_RUNTIME_DIR"].reduce(into: [String: String]()) {
      $0[$1] = ProcessInfo.processInfo.environment[$1]
    }
    func run(_ arguments: String...) async throws -> Tool.Outcome {
      var tool = Tool(arguments)
      tool.environment = environment
      return try await tool.run()
    }
    let listed = try await run("devices", "--json")
    #expect(listed.status == 0, "\(listed.errors)")
    #expect(try objects(listed.output).contains { $0["isDefaultOutput"] as? Bool == true })
    #expect(try await run("devices").lines.count > 1)
    let said = try await run("say", "yes")
    #expect(said.status == 0, "\(said.errors)")
    let wrong = try await run("say", "yes", "--device", "nonsense")
    #expect(wrong.status == 69)
    #expect(wrong.errors.contains("“nonsense”"))
    let checked = try await run("doctor")
    #expect(checked.status == 0)
    #expect(!checked.text.contains("warning"), "\(checked.text)")
  }

  @Test func `doctor checks every part and warns of missing devices only`() async throws {
    let outcome = try await Tool("doctor", "--json").run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let findings = try outcome.lines.map {
      try JSONDecoder().decode(DiagnosticFinding.self, from: Data($0.utf8))
    }
    let troubled = findings.filter { $0.status != .ok }
    #expect(Set(troubled.map(\.part)) == ["devices.server", "devices.input", "devices.output"])
    for finding in troubled {
      #expect(finding.status == .warning)
      #expect(finding.remedy?.isEmpty == false)
    }
    #expect(Set(findings.map(\.part)).count == findings.count)
    #expect(findings.contains { $0.part == "understanding" })
  }

  @Test func `doctor separates the longest title from the finding`() async throws {
    let lines = try await Tool("doctor").run().lines
    let name = "webrtc_audio_processing"
    #expect(lines.contains { $0.contains("Library \(name) ") }, "\(lines)")
  }

  @Test func `doctor fails with a remedy when the model is broken`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    try FileManager.default.createDirectory(
      at: workshop.folder.appending(path: "en-us"), withIntermediateDirectories: true)
    var tool = Tool("doctor", "--json")
    tool.environment = ["SPEECHKIT_MODELS": workshop.folder.path]
    let outcome = try await tool.run()
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("Not in order: Recogniser PocketSphinx"), "\(outcome.errors)")
    let findings = try outcome.lines.map {
      try JSONDecoder().decode(DiagnosticFinding.self, from: Data($0.utf8))
    }
    let model = try #require(findings.first { $0.part == "recognition.model" })
    #expect(model.status == .failure)
    #expect(model.remedy?.contains("pocketsphinx-en-us") == true)
    #expect(findings.first { $0.part == "synthesis.flite" }?.status == .ok)
  }
}

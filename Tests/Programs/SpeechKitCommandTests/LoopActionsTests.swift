#if Cloud
import AIServiceTesting
import Foundation
import SpeechKit
import TestSupport
import Testing

@testable import speechkit

/// Actions and connectors in conversations with a file.
struct LoopActionsTests {
  private static let grammar = "#JSGF V1.0; grammar talk; public <said> = hello | good morning;"

  private func loop(
    _ home: ActionWorkshop, hearing text: String, _ arguments: [String],
    _ environment: [String: String] = [:]
  ) async throws -> Tool.Outcome {
    let user = FliteEngine()
    var sound = PCMBuffer.silence(.seconds(1), format: .recognition)
    let words = try await user.render(
      user.makeRequest(text: text, voiceId: "slt"), configuration: .default)
    sound.append(try words.resampled(to: .recognition))
    sound.append(.silence(.seconds(2), format: .recognition))
    try AudioFile.write(sound, to: home.workshop.folder.appending(path: "talk.wav"))
    _ = try home.workshop.write(Self.grammar, to: "talk.gram")
    var tool = home.tool(["loop", "-i", "talk.wav", "-v", "flite:rms"] + arguments, environment)
    tool.folder = home.workshop.folder
    return try await tool.run()
  }

  @Test func `an action interprets, and its replay is the same`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["Buenos días."]) }
    let outcome = try await loop(
      home, hearing: "Good morning.",
      ["-g", "talk.gram", "-r", "action:translate", "--to", "es", "--record", "kept"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.contains("reply    Buenos días."), "\(outcome.text)")
    let asked = try ActionWorkshop.words(of: try #require(home.server.requests.last))
    #expect(asked.last?.contains("from English (United States) into Spanish") == true, "\(asked)")
    var replay = home.tool(["replay", "kept", "-v", "flite:rms"])
    replay.folder = home.workshop.folder
    let again = try await replay.run()
    #expect(again.status == 0, "\(again.text) \(again.errors)")
    #expect(home.server.requests.count == 1)
  }

  @Test func `any connector holds a conversation`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work", "--instructions", "Be kind.")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["Hello to you."]) }
    let outcome = try await loop(
      home, hearing: "Hello.",
      ["-g", "talk.gram", "-r", "connector:work", "--system", "Be brief {{really}}."])
    #expect(outcome.lines.contains("reply    Hello to you."), "\(outcome.text) \(outcome.errors)")
    let asked = try ActionWorkshop.words(of: try #require(home.server.requests.last))
    #expect(asked == ["Be kind.\n\nBe brief {{really}}.", "hello"])
  }

  @Test func `a voice command translates the selection`() async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    try await home.addConnector("work")
    home.server.reply(to: ActionWorkshop.chatPath) { _ in ActionWorkshop.answer(["Hasta luego."]) }
    try ShellScript.write(
      "printf 'See you later.'", to: home.workshop.folder.appending(path: "xclip"))
    let outcome = try await loop(
      home, hearing: "Translate that to Spanish.", ["-r", "actions", "--accept", "off"],
      ["DISPLAY": ":9", "PATH": home.workshop.folder.path])
    #expect(outcome.lines.contains("user     translate that to spanish"), "\(outcome.text)")
    #expect(outcome.lines.contains("reply    Hasta luego."), "\(outcome.text) \(outcome.errors)")
    let asked = try ActionWorkshop.words(of: try #require(home.server.requests.last))
    #expect(asked.last?.contains("into Spanish") == true)
    #expect(asked.last?.hasSuffix("See you later.") == true)
  }

  @Test(arguments: [
    (["-r", "action:nobody"], 69, "There is no action “nobody”"),
    (["-r", "connector:nobody"], 69, "There is no connector “nobody”"),
    (["-r", "echo", "--to", "es"], 64, "--to goes with"),
    (["-r", "acton:x"], 64, "action:NAME"),
  ])
  func `missing actions and connectors are reported`(
    arguments: [String], status: Int32, message: String
  ) async throws {
    let home = try ActionWorkshop()
    defer { home.clear() }
    let outcome = try await loop(home, hearing: "Hello.", ["-g", "talk.gram"] + arguments)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
#endif

import Foundation
import SpeechAudio
import Testing

/// Commands whose input is damaged, or that cannot write temporary files.
struct HinderedInputTests {
  @Test func `a recording that is damaged in the middle gives its text and an error`() async throws
  {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let speech = try AudioFile.read(URL(filePath: await Sounds.shared.manyCommands()))
    var bytes = try AudioFile.encode(speech, as: .flac)
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 2_000, with: repeatElement(0xFF, count: 2_000))
    try bytes.write(to: workshop.folder.appending(path: "damaged.flac"))
    _ = try workshop.write(Sounds.grammar, to: "moves.gram")
    for extra in [[], ["-o", "text.txt"]] {
      var tool = Tool(["transcribe", "--grammar", "moves.gram", "damaged.flac"] + extra)
      tool.folder = workshop.folder
      let outcome = try await tool.run()
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(outcome.errors.contains("“damaged.flac” is damaged after "), "\(outcome.errors)")
      let text = try extra.isEmpty ? outcome.text : workshop.text(of: "text.txt")
      #expect(text.contains(Sounds.command), "\(text)")
    }
  }

  @Test func `a recording that is damaged at its beginning is bad data`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let speech = try AudioFile.read(URL(filePath: await Sounds.shared.command()))
    var bytes = try AudioFile.encode(speech, as: .flac)
    bytes.replaceSubrange(200..<1_200, with: repeatElement(0xFF, count: 1_000))
    try bytes.write(to: workshop.folder.appending(path: "damaged.flac"))
    _ = try workshop.write(Sounds.grammar, to: "moves.gram")
    var tool = Tool("transcribe", "--grammar", "moves.gram", "damaged.flac")
    tool.folder = workshop.folder
    let outcome = try await tool.run()
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("damaged.flac” is damaged: "), "\(outcome.errors)")
  }

  @Test func `a folder for temporary files that cannot be written is named`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let speech = try await Sounds.shared.command()
    _ = try workshop.write("scenario \"Empty\"\nrecogniser exact\n", to: "empty.scenario")
    for arguments in [
      ["transcribe", "--keyphrase", "forward", speech], ["test", "empty.scenario"],
    ] {
      var tool = Tool(arguments)
      tool.folder = workshop.folder
      // Not writable for the superuser either.
      tool.environment = ["TMPDIR": "/proc"]
      let outcome = try await tool.run()
      #expect(outcome.status == 73, "\(outcome.errors)")
      #expect(
        outcome.errors.contains("No temporary file can be written to “/proc”"), "\(outcome.errors)")
      #expect(outcome.errors.contains("TMPDIR"))
    }
  }
}

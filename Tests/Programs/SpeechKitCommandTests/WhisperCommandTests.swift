import Foundation
import SpeechKit
import TestSupport
import Testing

@testable import speechkit

@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WhisperCommandTests {
  private func tool(_ arguments: String...) throws -> Tool {
    var tool = Tool(arguments)
    tool.environment["SPEECHKIT_WHISPER"] = try Peers.whisperLibrary.path
    return tool
  }

  /// The tool with the library and the model where users install them.
  private func installed(_ workshop: Workshop, _ arguments: String...) throws -> Tool {
    var tool = Tool(arguments)
    let folder = workshop.folder.appending(path: "data/speechkit/whisper")
    let files = FileManager.default
    try files.createDirectory(
      at: folder.appending(path: "models"), withIntermediateDirectories: true)
    let links = [
      "lib": try Peers.whisperLibrary,
      "models/ggml-tiny.en-q8_0.bin": try Peers.whisperModel,
    ]
    for (name, target) in links where !files.fileExists(atPath: folder.appending(path: name).path) {
      try files.createSymbolicLink(at: folder.appending(path: name), withDestinationURL: target)
    }
    tool.environment = ["SPEECHKIT_WHISPER": "", "XDG_DATA_HOME": workshop.path("data")]
    return tool
  }

  @Test func `free speech is recognised by Whisper once it is installed`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let note = "speechkit: Whisper recognises free speech"
    let sound = try await Sounds.shared.command()
    let free = try await installed(workshop, "transcribe", sound).run()
    #expect(free.status == 0, "\(free.errors)")
    #expect(free.text.lowercased().contains("go forward"), "\(free.text)")
    #expect(free.errors.components(separatedBy: note).count == 2, "\(free.errors)")
    for arguments in [
      ["--grammar", try await Sounds.shared.grammar()], ["--recogniser", "pocketsphinx"],
      ["--preset", "fast"], ["--keyphrase", "forward"],
    ] {
      var tool = try installed(workshop, "transcribe", sound)
      tool.arguments += arguments
      let outcome = try await tool.run()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains(note), "\(arguments): \(outcome.errors)")
    }
    // Without a model for the language.
    let french = try await installed(workshop, "transcribe", "--language", "fr", sound).run()
    #expect(!french.errors.contains(note), "\(french.errors)")
  }

  @Test func `what a grammar rejects is taken as dictation`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let outcome = try await installed(
      workshop, "transcribe", "--dictate", "--grammar", Sounds.shared.grammar(),
      Sounds.shared.commandAndChatter()
    ).run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("Whisper recognises free speech"), "\(outcome.errors)")
    #expect(outcome.lines.first == Sounds.command)
    #expect(outcome.lines.last == "My brother is moving to another city.")
    let useless = try await Tool("transcribe", "--dictate", "speech.wav").run()
    #expect(useless.status == 64)
    #expect(useless.errors.contains("--grammar or --keyphrase"), "\(useless.errors)")
  }

  @Test func `a file is transcribed with a model that is named by its path`() async throws {
    let name = "whisper:\(try Peers.whisperModel.path)"
    let outcome = try await tool(
      "transcribe", "--recogniser", name, Sounds.shared.command()
    ).run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let words = outcome.text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " }
    #expect(words == "go forward 10 meters" || words == Sounds.command)
  }

  @Test func `words that are spoken pass the check`() async throws {
    let name = "whisper:\(try Peers.whisperModel.path)"
    let file = try await Sounds.shared.command()
    let plain = try await tool("transcribe", "--recogniser", name, file).run()
    let checked = try await tool(
      "transcribe", "--recogniser", name, "--check", "words", file
    ).run()
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(checked.text == plain.text)
  }

  @Test func `a model that is not installed is reported with the places`() async throws {
    let outcome = try await tool(
      "transcribe", "--recogniser", "whisper:nonsense", Sounds.shared.command()
    ).run()
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("The Whisper model “nonsense” is not installed"))
  }

  @Test func `a grammar limits it to sentences, and key phrases are refused`() async throws {
    let name = "whisper:\(try Peers.whisperModel.path)"
    let outcome = try await tool(
      "transcribe", "--recogniser", name, "--grammar", Sounds.shared.grammar(),
      Sounds.shared.commandAndChatter()
    ).run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines == [Sounds.command])
    let refused = try await tool(
      "transcribe", "--recogniser", name, "--keyphrase", "forward", Sounds.shared.command()
    ).run()
    #expect(refused.status == 64)
    #expect(refused.errors.contains("key phrases"), "\(refused.errors)")
  }

  @Test func `the lab compares it with others on recordings`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let list = try await workshop.write(
      "\(Sounds.shared.command())\t\(Sounds.command)\n", to: "recordings.tsv")
    let whisper = "whisper:\(try Peers.whisperModel.path)"
    let outcome = try await tool(
      "lab", list, "--grammar", Sounds.shared.grammar(), "--recognisers", "fast,\(whisper)"
    ).run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    for line in outcome.lines.filter({ $0.contains(" MB") }) { #expect(line.contains("0.0 %")) }
    #expect(outcome.lines.count { $0.contains(" MB") } == 2, "\(outcome.text)")
    let misplaced = try await Tool("lab", list, "--voices", "2").run()
    #expect(misplaced.status == 64)
  }
}

import Foundation
import SpeechCore
import SpeechGrammar
import TestSupport
import Testing

@testable import SpeechPocketSphinx

/// Decoding with command grammars.
@Suite @DecodingQueue struct CommandGrammarDecodingTests {
  private func decoder(_ search: PocketSphinxSearch) throws -> PocketSphinxDecoder {
    let configuration = PocketSphinxConfiguration(
      search: search, preset: .fast, modelFolder: PocketSphinxModelPlaces.distribution)
    return try PocketSphinxDecoder(
      configuration: configuration, locale: Locale(identifier: "en_US"))
  }

  @Test(.enabled(if: Recordings.hasAlsa, .init(rawValue: Recordings.alsaReason)))
  func `recognised text is understood`() throws {
    let speakers = CommandGrammar("speakers") {
      Intent("speaker") {
        Slot("row") {
          Value("front", code: "F")
          Value("rear", code: "R")
          Value("side", code: "S")
        }
        Slot("side") {
          "center"
          "left"
          "right"
        }
      }
    }
    let decoder = try decoder(.grammar(speakers.jsgfText()))
    let matcher = try CommandMatcher(speakers)
    for (name, row, side) in [
      ("Front_Center", "F", "center"), ("Rear_Right", "R", "right"), ("Side_Left", "S", "left"),
    ] {
      let utterance = try #require(try decoder.decode(Recordings.alsa(name)))
      let match = try #require(matcher.match(words: utterance.words.map(\.text)))
      #expect(match["row"]?.code == row)
      #expect(match["side"]?.code == side)
      #expect(match["side"]?.words == 1..<2)
    }
  }

  @Test(arguments: [SlotType.number, .ordinal, .time, .date, .duration])
  func `the dictionary has the words of every built-in slot`(type: SlotType) throws {
    let grammar = CommandGrammar("slot") { Intent("it") { Slot("slot", type) } }
    let clock = ContinuousClock()
    let duration = try clock.measure { _ = try decoder(.grammar(grammar.jsgfText())) }
    #expect(duration < .seconds(30))
  }

  @Test func `a grammar of ten thousand sentences is loaded in seconds`() throws {
    let names = "alpha bravo delta echo golf hotel india lima mike november".split(separator: " ")
    var lines: [String] = []
    for first in names {
      for second in names {
        for third in names {
          for fourth in names { lines.append("  \(first) \(second) \(third) \(fourth)") }
        }
      }
    }
    let grammar = try CommandGrammar(
      template: "intent call:\n" + lines.joined(separator: "\n"))
    let clock = ContinuousClock()
    let duration = try clock.measure { _ = try decoder(.grammar(grammar.jsgfText())) }
    print("10,000 sentences loaded in \(duration)")
    #expect(duration < .seconds(60))
  }

  @Test func `a grammar file imports others from its folder`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let main = folder.appendingPathComponent("main.jsgf")
    try Data(
      "#JSGF V1.0; grammar m; import <rows.*>; public <place> = <row> (center | left | right);".utf8
    ).write(to: main)
    #expect(refusal { _ = try decoder(.grammarFile(main)) }?.contains("rows.*") == true)
    try Data("#JSGF V1.0; grammar rows; public <row> = front | rear | side; <x> = xyzzy;".utf8)
      .write(to: folder.appendingPathComponent("rows.gram"))
    #expect(refusal { _ = try decoder(.grammarFile(main)) } == nil)
  }
}

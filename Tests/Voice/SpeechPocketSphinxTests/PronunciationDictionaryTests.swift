import Foundation
import SpeechCore
import TestSupport
import Testing

@testable import SpeechPocketSphinx

@Suite @DecodingQueue struct PronunciationDictionaryTests {
  private let phones: Set<String> = ["HH", "AH", "L", "OW", "EH", "R", "D", "IY"]

  private func dictionary(_ text: String) throws -> PronunciationDictionary {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).dict")
    try Data(text.utf8).write(to: url)
    return try PronunciationDictionary(url, phones: phones)
  }

  @Test func `entries are read as the library reads them`() throws {
    let dictionary = try dictionary(
      "## read HH\n;; read HH\nhello HH AH L OW\r\nread R EH D\nread(2)\tR  IY D\nread R AH D\n"
        + "reads R IY D\nred(2) R EH D\nrow XX\nrow(2) R OW\nallow AH\n  led L EH D")
    defer { try? FileManager.default.removeItem(at: dictionary.url) }
    let entries = try dictionary.entries(of: ["read", "hello", "red", "row", "led", "missing"])
    #expect(
      entries == [
        .init(name: "hello", phones: ["HH", "AH", "L", "OW"]),
        .init(name: "read", phones: ["R", "EH", "D"]),
        .init(name: "read(2)", phones: ["R", "IY", "D"]),
        .init(name: "led", phones: ["L", "EH", "D"]),
      ])
    #expect(dictionary.pronunciations(of: "read") == [["R", "EH", "D"], ["R", "IY", "D"]])
    #expect(dictionary.pronunciations(of: "missing").isEmpty)
  }

  @Test func `a decoder with a grammar explains words as dictation does`() throws {
    func decoder(_ search: PocketSphinxSearch) throws -> PocketSphinxDecoder {
      try PocketSphinxDecoder(
        configuration: PocketSphinxConfiguration(
          search: search, preset: .fast, modelFolder: PocketSphinxModelPlaces.distribution),
        locale: Locale(identifier: "en_US"))
    }
    let dictation = try decoder(.dictation)
    let grammar = try decoder(.grammar("#JSGF V1.0; grammar g; public <a> = read the Record;"))
    for word in ["read", "record", "hello", "a", "Tomato", "xyzzyx"] {
      #expect(
        try grammar.explain(word).pronunciations == dictation.explain(word).pronunciations,
        "\(word)")
    }
    // The pronunciations of the dictionary stay beside one that is added.
    let known = try grammar.explain("hello").pronunciations.map(\.phones)
    let added = try grammar.add("hello", pronunciations: [["HH", "AH", "L", "IY"]])
    #expect(added.pronunciations.map(\.phones) == known + [["HH", "AH", "L", "IY"]])
    // The library has the words of the grammar only, which is what keeps it small.
    #expect(grammar.handle.phones(of: "read(2)") != nil)
    #expect(grammar.handle.phones(of: "tomato") == nil)
  }
}

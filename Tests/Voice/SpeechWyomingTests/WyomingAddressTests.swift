import Foundation
import SpeechCore
import Testing

@testable import SpeechWyoming

struct WyomingAddressTests {
  @Test(
    arguments: [
      ("localhost:10300", .host("localhost", port: 10_300), nil),
      ("[::1]:1", .host("::1", port: 1), nil),
      ("engine.example:65535#base", .host("engine.example", port: 65_535), "base"),
      ("unix:/run/a b.socket", .socket("/run/a b.socket"), nil),
      ("unix:engine.socket#en_US-joe-medium", .socket("engine.socket"), "en_US-joe-medium"),
      ("exec:engine --uri stdio://", .program(["engine", "--uri", "stdio://"]), nil),
      (
        "exec: engine --name \"a 'b' c\" '' --flag=#1",
        .program(["engine", "--name", "a 'b' c", "", "--flag="]), "1"
      ),
      ("exec:engine #1 x", .program(["engine", "#1", "x"]), nil),
    ] as [(String, WyomingAddress.Place, String?)])
  func `an address is a port, a socket or a program`(
    text: String, place: WyomingAddress.Place, name: String?
  ) throws {
    let address = try WyomingAddress(text)
    #expect(address.place == place)
    #expect(address.name == name)
  }

  @Test(
    arguments: [
      "", "localhost", "localhost:", "localhost:0", "localhost:65536", ":10300", "a b:1",
      "::1:10300",
      "unix:", "exec:", "exec:  ", "exec:\"engine", "tcp://localhost:10300", "host:-1",
    ])
  func `anything else is refused with an example`(text: String) {
    let error = #expect(throws: WyomingError.self) { try WyomingAddress(text) }
    #expect(error?.localizedDescription.contains("localhost:10300") == true)
  }

  @Test func `a program that is not installed is reported before it is needed`() {
    let error = #expect(throws: SpeechRecognitionError.self) {
      try WyomingDecoder(
        configuration: WyomingConfiguration(engine: "exec:speechkit-no-such-engine"),
        locale: Locale(identifier: "en-US"))
    }
    #expect(error?.localizedDescription.contains("no program “speechkit-no-such-engine”") == true)
  }

  @Test(
    arguments: [
      ("en-US", ["de", "en"], "en"), ("en-GB", ["en_US"], "en_US"), ("de", ["de-AT", "de"], "de"),
      ("fr-FR", ["en", "de"], nil), ("EN-us", ["en", "en-US"], "en-US"),
    ] as [(String, [String], String?)])
  func `a language is spelt as the engine spells it`(
    language: String, tags: [String], expected: String?
  ) {
    #expect(tags.tag(for: language) == expected)
  }

  @Test func `a description is read as far as it can be`() throws {
    let text = """
      {"asr": [7, {"installed": true}, {"name": "off", "installed": false},
        {"name": "on", "models": [{"languages": ["en"]}, {"name": "m", "languages": null}]}],
       "tts": null, "future": {"x": [1]}}
      """
    let event = WyomingEvent(type: "info", data: Data(text.utf8))
    let info = try #require(event.value(as: WyomingInfo.self))
    #expect(info.recogniser?.name == "on")
    #expect(info.recogniser?.models.map(\.name) == ["m"])
    #expect(info.synthesiser == nil)
  }
}

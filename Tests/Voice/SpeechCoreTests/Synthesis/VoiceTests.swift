import Foundation
import SpeechCore
import Testing

struct VoiceTests {
  private func json(_ voice: Voice) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(voice), as: UTF8.self)
  }

  private func voice(_ json: String) throws -> Voice {
    try JSONDecoder().decode(Voice.self, from: Data(json.utf8))
  }

  @Test func `a voice reads the JSON of earlier packages and of ElevenLabs`() throws {
    let voice = try voice(
      """
      {"voice_id": "voice123", "name": "Rachel", "description": "A friendly voice",
       "language": "en", "locality": "US", "gender": "Female", "quality": "premium",
       "labels": {"accent": "american"}}
      """)
    #expect(
      voice
        == Voice(
          id: "voice123", name: "Rachel", languages: ["en-US"], gender: .female,
          description: "A friendly voice", quality: "premium"))
    #expect(voice.locality == "US")
  }

  @Test func `only the identifier and the name are required`() throws {
    let voice = try voice(#"{"voice_id": "voice123", "name": "Rachel"}"#)
    #expect(voice == Voice(id: "voice123", name: "Rachel", languages: []))
    #expect(voice.locality == nil)
    #expect(throws: DecodingError.self) { try self.voice(#"{"id": "voice123", "name": "R"}"#) }
  }

  @Test func `a voice writes the same members`() throws {
    let voice = Voice(
      id: "voice123", name: "Rachel", languages: ["en-US", "en"], gender: .female,
      variants: ["f1"], description: "A friendly voice", providerId: "elevenlabs",
      quality: "premium")
    let json = try json(voice)
    #expect(
      json
        == #"{"description":"A friendly voice","gender":"female","language":"en","#
        + #""languages":["en-US","en"],"locality":"US","name":"Rachel","provider":"elevenlabs","#
        + #""quality":"premium","variants":["f1"],"voice_id":"voice123"}"#)
    #expect(try self.voice(json) == voice)
    let plain = Voice(id: "a", name: "A", languages: [])
    #expect(try self.voice(try self.json(plain)) == plain)
  }

  @Test(arguments: [
    ("en-GB", "GB"), ("en-gb-scotland", "GB"), ("zh-Hant-TW", "TW"), ("es-419", "419"),
    ("en_US", "US"), ("de", nil), ("vi-vn-x-central", "VN"), ("", nil),
  ])
  func `the locality is the region of the first language`(_ tag: String, _ region: String?) {
    #expect(Voice(id: "a", name: "A", languages: [tag]).locality == region)
  }
}

#if Espeak
import Foundation
import SpeechCore
import SpeechEspeak
import TestSupport
import Testing

struct EspeakSSMLTests {
  @Test(arguments: [
    ("<speak>Hello", "SSML line 1, column 13: <speak> is not closed."),
    ("<speak>\nHi </p></speak>", "SSML line 2, column 4: </p> where </speak> was expected."),
    ("Hi </speak>", "SSML line 1, column 4: </speak> without a start tag."),
    (
      "<speak>\n\n  A & B</speak>",
      "SSML line 3, column 5: & without a name and a semicolon; write &amp;."
    ),
    ("<speak>&nbsp;x</speak>", "SSML line 1, column 8: &nbsp; is not known."),
    ("<speak>&#xD800;x</speak>", "SSML line 1, column 8: &#xD800; is not known."),
    ("<speak>1 < 2</speak>", "SSML line 1, column 11: a name was expected; write &lt; for <."),
    (
      "<!DOCTYPE speak [<!ENTITY a \"b\">]><speak>&a;</speak>",
      "SSML line 1, column 1: document types are not supported."
    ),
    (
      "<speak><mark name=x/>Hi</speak>",
      "SSML line 1, column 19: the value of name must be in quotation marks."
    ),
    ("<speak><mark name=\"x/>Hi</speak>", "SSML line 1, column 25: < in the value of name."),
    ("<speak><break a='1' a='2'/>x</speak>", "SSML line 1, column 21: a appears twice."),
    ("<speak><!-- never ends", "SSML line 1, column 8: a comment is not terminated."),
    ("<speak><break", "SSML line 1, column 8: <break is not terminated."),
  ])
  func `SSML that is not well-formed is rejected with its position`(text: String, message: String)
    async
  {
    #expect(await error { try await speak(text, ssml: true) } == .unknown(message))
  }

  @Test func `depth and length are limited`() async {
    let deep = String(repeating: "<p>", count: 100_000)
    #expect(await isRefused(deep, saying: "deeper than 32"))
    let long = "<speak>" + String(repeating: "word ", count: 500_000) + "</speak>"
    #expect(await isRefused(long, saying: "longer than 2 MB"))
    let styled =
      String(repeating: "<prosody rate='90%'>", count: 20) + "x"
      + String(repeating: "</prosody>", count: 20)
    #expect(await isRefused(styled, saying: "nested deeper"))
  }

  private func isRefused(_ text: String, saying part: String) async -> Bool {
    guard case .unknown(let message) = await error({ try await speak(text, ssml: true) }) else {
      return false
    }
    return message.contains(part)
  }

  @Test(arguments: [
    ("<speak><break time=\"1s\"/></speak>"), ("<speak></speak>"), ("<audio src='a.wav'/>"),
    ("<speak><desc>words</desc></speak>"), ("<mark name='m'/>"),
  ])
  func `documents without words are invalid`(text: String) async {
    #expect(await error { try await speak(text, ssml: true) } == .invalidText)
  }

  @Test func `a break has its stated length`() async throws {
    let none = try await speak("<speak>One <break time='0ms'/> two</speak>", ssml: true).seconds
    for (time, seconds) in [("1.5s", 1.5), ("250ms", 0.25), ("600000ms", 10), ("3", 3)] {
      let text = "<speak>One <break time='\(time)'/> two</speak>"
      let spoken = try await speak(text, ssml: true).seconds
      #expect(abs(spoken - none - seconds) < 0.5, "\(time): \(spoken) and \(none)")
    }
    let strong = try await speak("<speak>One <break strength='x-strong'/> two</speak>", ssml: true)
    #expect(strong.seconds > none + 0.5)
  }

  @Test func `the total of all breaks is limited`() async throws {
    let text = String(repeating: "<break time='10s'/>", count: 1000) + "Hello."
    let spoken = try await speak(text, ssml: true)
    #expect((300...302).contains(spoken.seconds))
  }

  @Test func `prosody changes pace, pitch and volume`() async throws {
    let words = "some words that are spoken in another way"
    let plain = try await speak(words)
    let slow = try await speak("<prosody rate='50%'>\(words)</prosody>", ssml: true)
    #expect(slow.seconds > plain.seconds * 1.4)
    let high = try await speak("<prosody pitch='+50%'>\(words)</prosody>", ssml: true)
    #expect(pitch(high.audio) > pitch(plain.audio) * 1.15)
    let soft = try await speak("<prosody volume='x-soft'>\(words)</prosody>", ssml: true)
    #expect(soft.audio.level < plain.audio.level - 3)
    let after = try await speak(words)
    #expect(abs(after.seconds - plain.seconds) < 0.1)
  }

  @Test func `prosody continues over the pieces of a long text`() async throws {
    let sentence = "This is one of many sentences that follow each other. "
    let text = String(repeating: sentence, count: 20)
    let plain = try await speak(text)
    let slow = try await speak("<prosody rate='50%'>\(text)</prosody> End.", ssml: true)
    #expect(slow.chunks > 2)
    #expect(slow.seconds > plain.seconds * 1.4)
  }

  @Test func `characters, digits, ordinals, dates and numbers are spoken as such`() async throws {
    func duration(_ text: String) async throws -> Double {
      try await speak(text, ssml: true).seconds
    }
    let word = try await duration("<speak>house</speak>")
    for kind in ["characters", "spell-out"] {
      let spelled = try await duration("<say-as interpret-as='\(kind)'>house</say-as>")
      #expect(spelled > word * 1.6, "\(kind)")
    }
    let number = try await duration("<speak>1000000</speak>")
    #expect(try await duration("<say-as interpret-as='digits'>1000000</say-as>") > number * 1.4)
    let phone = try await duration("<say-as interpret-as='telephone'>0351 1000000</say-as>")
    #expect(phone > number * 1.5)
    let ordinal = try await duration("<say-as interpret-as='ordinal'>3</say-as>")
    let third = try await speak("3rd").seconds
    #expect(abs(ordinal - third) < 0.1)
    let date = try await duration("<say-as interpret-as='date' format='ymd'>2026-11-21</say-as>")
    let written = try await speak("November 21st 2026").seconds
    #expect(abs(date - written) < 0.15)
  }

  @Test func `voices and languages change inside the document`() async throws {
    let text = """
      <speak>Good morning. <voice name="de">Guten Morgen, liebe Leute.</voice>
      <p xml:lang="ru">Доброе утро, друзья.</p> <voice gender="female">And a woman.</voice></speak>
      """
    let spoken = try await speak(text, ssml: true)
    let words = spoken.words.map { Spoken.covered($0, in: text) }
    for word in ["morning", "Guten", "Доброе", "woman"] {
      #expect(words.contains(word), "\(words)")
    }
    let thrown = await error {
      try await speak("<voice name='nobody'>Hello</voice>", ssml: true)
    }
    #expect(thrown == .voiceNotAvailable("nobody"))
  }

  @Test func `text outside of tags is filtered like plain text`() async throws {
    let text = "<speak>&#x1;&#x41;BC &#128512; <![CDATA[<b> & ]]> \u{7} [[h@l'oU]]</speak>"
    #expect(try await speak(text, ssml: true).seconds > 0.5)
  }

  @Test func `without the option tags are text`() async throws {
    let spoken = try await speak("<speak>Hello</speak>")
    let ssml = try await speak("<speak>Hello</speak>", ssml: true)
    #expect(spoken.seconds > ssml.seconds + 0.5)
  }

  @Test(arguments: ["true", "false"])
  func `audio elements touch no file and run no command`(ssml: String) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("speechkit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let trap = folder.appendingPathComponent("touched").path
    let name = "\(folder.path)/x$(touch \(trap)).wav".replacingOccurrences(of: "/tmp", with: "/tmp")
    // The file exists, so that a library that opens it would continue to the command.
    _ = FileManager.default.createFile(
      atPath: "\(folder.path)/x.wav", contents: Data(repeating: 0, count: 100))
    for source in [name, "\(folder.path)/x.wav", "$(touch \(trap))", "`touch \(trap)`.wav"] {
      let text = "<speak><audio src=\"\(source)\">instead of it</audio></speak>"
      let spoken = try await speak(text, options: ["ssml": ssml])
      #expect(spoken.seconds > 0.3)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left == ["x.wav"])
  }

  @Test func `documents of random parts cause at most an error`() async throws {
    let parts = [
      "<speak>", "</speak>", "<p>", "</p>", "<s xml:lang='fr'>", "</s>", "<prosody rate='x'>",
      "<prosody pitch='+20%' volume='loud'>", "</prosody>", "<emphasis>", "</emphasis>", "&amp;",
      "&lt;", "&bad;", "<!-- c -->", "<?pi?>", "<![CDATA[x]]>", "text. ", "More, text! ", "<", ">",
      "<break/>", "<mark name='m'/>", "<say-as interpret-as='characters'>", "</say-as>",
      "<sub alias='b'>", "</sub>", "<voice name='de'>", "</voice>", "<audio src='x'>", "</audio>",
    ]
    var random = SplitMix(seed: 5)
    var spoken = 0
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<1 + random.next(4) { text += parts[random.next(parts.count)] }
      do {
        _ = try await speak(text, ssml: true)
        spoken += 1
      } catch {
        #expect(error is SpeechSynthesisProviderError)
      }
    }
    #expect(spoken > 5)
  }
}
#endif

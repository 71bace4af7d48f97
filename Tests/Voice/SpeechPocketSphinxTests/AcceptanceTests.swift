import Foundation
import SpeechAudio
import SpeechCore
import SpeechFlite
import TestSupport
import Testing

@testable import SpeechPocketSphinx

@Suite @DecodingQueue struct AcceptanceTests {
  private static let grammar = """
    #JSGF V1.0;
    grammar home;
    public <c> = (turn | switch) (on | off) the (lights | radio | heater) [<place>];
    <place> = in the (kitchen | bedroom);
    """

  private func decoder(
    _ acceptance: PocketSphinxAcceptance = .off, grammar: String = grammar
  ) throws -> PocketSphinxDecoder {
    try PocketSphinxDecoder(
      configuration: PocketSphinxConfiguration(
        search: .grammar(grammar), modelFolder: PocketSphinxModelPlaces.distribution,
        acceptance: acceptance),
      locale: Locale(identifier: "en_US"))
  }

  private func say(
    _ text: String, voice: String, rate: String = "0.5"
  ) async throws -> PCMBuffer {
    let engine = FliteEngine()
    let request = VoiceEngineRequest(text: text, voiceId: voice, options: ["rate": rate])
    return try await engine.render(request, configuration: .default).resampled(to: .recognition)
  }

  // Synchronous, like the decoder's own functions.
  private func decode(
    _ sound: PCMBuffer, _ decoder: PocketSphinxDecoder
  ) throws -> DecodedUtterance? {
    try decoder.decode(sound)
  }

  private static let commands = [
    "turn on the lights", "switch off the radio in the kitchen", "turn off the heater",
  ]
  private static let others = [
    "my brother is moving to another city", "the children are playing in the yard",
    "he forgot his umbrella on the bus again",
  ]

  @Test(arguments: ["slt", "rms", "awb"])
  func `sentences of the grammar are distinguished from other speech`(voice: String) async throws {
    let decoder = try decoder(.recommended)
    for text in Self.commands {
      let utterance = try #require(try decode(try await say(text, voice: voice), decoder))
      #expect(utterance.text == text)
      #expect(utterance.isAccepted, "\(text)")
      #expect(utterance.words.allSatisfy { (0...1).contains($0.confidence) })
    }
    for text in Self.others {
      let utterance = try #require(try decode(try await say(text, voice: voice), decoder))
      #expect(!utterance.isAccepted, "\(text)")
    }
  }

  /// Of the words of a loop some fit any speech: “excuse me” is heard as “six two three”.
  @Test(arguments: ["slt", "rms", "awb"])
  func `numbers in a row are distinguished from other speech`(voice: String) async throws {
    let decoder = try decoder(
      .recommended,
      grammar: """
        #JSGF V1.0; grammar numbers; public <numbers> = <number>+;
        <number> = <tens> [<unit>] | <teen> | <unit> | zero;
        <tens> = twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety;
        <teen> = ten | eleven | twelve | thirteen | fourteen | fifteen | sixteen | seventeen
          | eighteen | nineteen;
        <unit> = one | two | three | four | five | six | seven | eight | nine;
        """)
    for text in ["thirty five", "zero seven two nine", "eleven six forty two one five"] {
      let utterance = try #require(try decode(try await say(text, voice: voice), decoder))
      #expect(utterance.text == text)
      #expect(utterance.isAccepted, "\(text)")
    }
    for text in Self.others + ["excuse me"] {
      let sound = try await say(text, voice: voice, rate: "0.6")
      #expect(try decode(sound, decoder)?.isAccepted != true, "\(text)")
    }
  }

  @Test func `a wrong word in a sentence is less sure than the right ones`() async throws {
    let decoder = try decoder()
    let sound = try await say("turn on the lights in the garden", voice: "slt")
    let utterance = try #require(try decode(sound, decoder))
    let wrong = try #require(utterance.words.last?.confidence)
    let right = try #require(utterance.words.first?.confidence)
    #expect(wrong < right)
  }

  @Test func `a sentence with other speech right after it is rejected`() async throws {
    let decoder = try decoder(.recommended)
    for voice in ["slt", "rms"] {
      var sound = try await say(Self.commands[0], voice: voice)
      #expect(try decode(sound, decoder)?.isAccepted == true)
      sound.append(try await say(Self.others[2], voice: voice))
      #expect(try decode(sound, decoder)?.isAccepted == false)
    }
  }

  @Test func `live and complete decoding reject the same utterances`() async throws {
    let decoder = try decoder(.recommended)
    for text in [Self.commands[0], Self.others[0]] {
      let sound = try await say(text, voice: "rms")
      let whole = try decode(sound, decoder)
      #expect(try decoder.hear(sound) == whole)
    }
  }

  @Test func `nothing is rejected by default, and silence never is`() async throws {
    let sound = try await say(Self.others[1], voice: "slt")
    #expect(try decode(sound, decoder())?.isAccepted ?? true)
    let silence = PCMBuffer.silence(.seconds(1), format: .recognition)
    #expect(try decode(silence, decoder(.recommended)) == nil)
  }

  @Test func `phones are read as the library reads them`() throws {
    let model = try PhoneModel(
      folder: PocketSphinxModelPlaces.distribution.appendingPathComponent("en-us/en-us"))
    let definition = model.definition
    #expect(model.phones == 42 && model.states == 3 && model.width == 39)
    #expect(definition.plainSenones.joined().sorted() == Array(0..<126))
    let ah = try #require(definition.indices["AH"])
    let (k, t) = (try #require(definition.indices["K"]), try #require(definition.indices["T"]))
    let inside = definition.senones(of: ah, between: k, and: t, at: .inside)
    #expect(inside.allSatisfy { (126..<definition.senones).contains($0) })
    #expect(inside != definition.senones(of: ah, between: t, and: k, at: .inside))
  }
}

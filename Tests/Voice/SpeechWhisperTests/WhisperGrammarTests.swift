import SpeechCore
import SpeechGrammar
import TestSupport
import Testing

@testable import SpeechWhisper

@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
@DecodingQueue
struct WhisperGrammarTests {
  private static let lights = """
    #JSGF V1.0; grammar lights;
    public <order> = [please] turn (on | off) the <thing> [in the <room>];
    <thing> = lamp | heater; <room> = kitchen | bedroom;
    """

  private func session(_ grammar: String) throws -> RecognitionSession<WhisperDecoder> {
    var configuration = try WhisperFixture.configuration
    configuration.grammar = try JSGFGrammar(grammar)
    return try WhisperFixture.session(configuration)
  }

  @Test(
    arguments: [
      "turn on the lamp", "please turn off the heater in the bedroom",
    ])
  func `a sentence is recognised as the grammar spells it`(sentence: String) async throws {
    let heard = try await session(Self.lights).decode(try await WhisperFixture.spoken(sentence))
    #expect(heard?.text == sentence)
    #expect(heard?.isAccepted == true)
    #expect(heard?.words.count == sentence.split(separator: " ").count)
  }

  @Test func `digits are words, as often as they are said`() async throws {
    let digits = "zero | one | two | three | four | five | six | seven | eight | nine"
    let grammar = "#JSGF V1.0; grammar digits; public <digits> = (\(digits))+;"
    let speech = try await WhisperFixture.spoken("four, two, nine, one")
    let heard = try await session(grammar).decode(speech)
    #expect(heard?.text == "four two nine one")
    #expect(heard?.isAccepted == true)
  }

  @Test(
    arguments: [
      "My brother is moving to another city.", "The weather is going to be sunny tomorrow.",
    ])
  func `other speech is not accepted`(sentence: String) async throws {
    let heard = try await session(Self.lights).decode(try await WhisperFixture.spoken(sentence))
    #expect(heard?.isAccepted != true, "“\(heard?.text ?? "")”")
  }

  @Test func `there are no partial results`() async throws {
    let session = try session(Self.lights)
    let speech = try await WhisperFixture.spoken("turn on the lamp")
    _ = try await session.hear(.start)
    let output = try await session.hear(.audio(speech))
    #expect(output.partialText == nil)
    let heard = try await session.hear(.finish).utterance
    #expect(heard?.text == "turn on the lamp")
  }
}

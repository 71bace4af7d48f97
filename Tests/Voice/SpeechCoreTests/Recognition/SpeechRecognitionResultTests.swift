import Foundation
import SpeechCore
import Testing

struct SpeechRecognitionResultTests {
  private func result() -> SpeechRecognitionResult {
    SpeechRecognitionResult(
      text: "yes please", isFinal: true, confidence: 0.5, timestamp: Date(timeIntervalSince1970: 1),
      words: [RecognizedWord(text: "yes", start: 0, end: 0.5)],
      alternatives: [RecognitionAlternative(text: "yes peas", confidence: 0.25)])
  }

  @Test func `results of different utterances are equal if all else is`() {
    #expect(result() == result())
    #expect(result().utteranceID != result().utteranceID)
  }

  @Test func `every other difference counts`() {
    let changes: [(inout SpeechRecognitionResult) -> Void] = [
      { $0.text = "no" }, { $0.isFinal = false }, { $0.confidence = 1 },
      { $0.timestamp = Date(timeIntervalSince1970: 2) }, { $0.words = [] },
      { $0.alternatives = [] },
      { $0.keyPhrase = RecognizedWord(text: "computer", start: 0, end: 1) },
    ]
    for (index, change) in changes.enumerated() {
      var other = result()
      change(&other)
      #expect(other != result(), "\(index)")
    }
  }
}

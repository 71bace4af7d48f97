import Foundation
import SpeechAudio
import SpeechCore

@testable import SpeechConversation

/// Input of a recogniser with numbered utterances, which started to listen at zero.
extension TurnInput {
  static func speechStarted(utterance: Int) -> TurnInput {
    heard(.speechStarted(id(utterance), at: 0))
  }

  static func partial(utterance: Int, text: String) -> TurnInput {
    heard(.result(result(utterance, text, isFinal: false)))
  }

  static func speechPaused(utterance: Int, since: Duration) -> TurnInput {
    heard(.speechPaused(id(utterance), at: since.inSeconds))
  }

  static func speechResumed(utterance: Int) -> TurnInput {
    heard(.speechResumed(id(utterance), at: 0))
  }

  static func speechStopped(utterance: Int, lastVoice: Duration) -> TurnInput {
    heard(.speechStopped(id(utterance), lastVoice: lastVoice.inSeconds))
  }

  static func final(utterance: Int, text: String) -> TurnInput {
    heard(.result(result(utterance, text, isFinal: true)))
  }

  static func rejected(utterance: Int, text: String) -> TurnInput {
    heard(
      .rejected(
        RejectedUtterance(
          audio: PCMBuffer(samples: [], format: .recognition), start: 0,
          nearest: result(utterance, text, isFinal: true))))
  }

  static func speechEnded(utterance: Int) -> TurnInput { heard(.speechEnded(id(utterance), at: 0)) }

  private static func heard(_ event: HearingEvent) -> TurnInput {
    .heard(event, listeningSince: .zero)
  }

  private static func result(
    _ utterance: Int, _ text: String, isFinal: Bool
  ) -> SpeechRecognitionResult {
    SpeechRecognitionResult(text: text, isFinal: isFinal, utteranceID: id(utterance))
  }

  /// The identifier of an utterance, the same in every test.
  private static func id(_ utterance: Int) -> UUID {
    UUID(uuidString: String(format: "00000000-0000-0000-0000-%012d", utterance)) ?? UUID()
  }
}

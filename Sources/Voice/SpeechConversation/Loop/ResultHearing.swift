import Foundation
import SpeechCore

/// Derives hearing events from results alone, for recognisers that report nothing else.
struct ResultHearing {
  private var current: UUID?

  /// The events that precede and include the result.
  ///
  /// - Parameter second: the present, in seconds of listening.
  mutating func events(for result: SpeechRecognitionResult, at second: TimeInterval)
    -> [HearingEvent]
  {
    let id = result.utteranceID
    var events: [HearingEvent] = []
    if current != id {
      if let current { events.append(.speechEnded(current, at: second)) }
      events.append(.speechStarted(id, at: second))
    }
    guard result.isFinal else {
      current = id
      return events + [.result(result)]
    }
    current = nil
    return events + [
      .speechStopped(id, lastVoice: second), .result(result), .speechEnded(id, at: second),
    ]
  }
}

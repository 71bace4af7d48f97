/// The purpose for which an engine hears audio: a transcript, for example.
protocol WyomingListening: Sendable {
  associatedtype Answer: Sendable

  /// The frames of silence after the audio without which the engine misses what is at its end.
  static var padding: Int { get }

  /// Returns the event before the audio.
  mutating func order(
    to address: WyomingAddress, with info: WyomingInfo
  ) throws(WyomingError) -> WyomingEvent

  /// True if nothing follows the answer, so that the connection can serve the next exchange.
  func isLast(_ answer: Answer) -> Bool

  /// Takes an event, and returns the answer if it is one.
  ///
  /// - Parameter isOver: true if the engine was sent the end of the audio.
  mutating func answer(
    in event: WyomingEvent, of engine: WyomingEngine, isOver: Bool
  ) throws(WyomingError) -> Answer?
}

extension WyomingListening {
  func isLast(_ answer: Answer) -> Bool { true }
}

extension WyomingEngine {
  /// Has the engine hear a whole utterance, and waits for its answer.
  ///
  /// - Parameter begun: an attempt that has begun while it was spoken.
  func answer<Listening: WyomingListening>(
    to audio: WyomingAudio, listening: Listening, begun: WyomingAttempt<Listening>? = nil,
    until deadline: WyomingLink.Deadline
  ) async throws -> Listening.Answer {
    try await persist(until: deadline) { losses in
      var attempt =
        if losses == 0, let begun, begun.isOpen || begun.answer != nil { begun } else {
          try WyomingAttempt(listening, by: self)
        }
      return try await attempt.finish(with: audio, until: deadline)
    }
  }
}

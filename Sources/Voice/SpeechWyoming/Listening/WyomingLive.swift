import SpeechConcurrency

/// An utterance that an engine hears while it is spoken. After a loss it hears it again.
struct WyomingLive<Listening: WyomingListening> {
  /// The losses during an utterance after which its audio is sent at its end only.
  private static var mostLosses: Int { 3 }

  private let engine: WyomingEngine
  private let listening: Listening
  /// The attempt in progress; `nil` if there is none.
  private(set) var attempt: WyomingAttempt<Listening>?
  private var losses = 0

  /// Begins, without waiting.
  init(_ listening: Listening, by engine: WyomingEngine) {
    self.engine = engine
    self.listening = listening
    // In virtual time, all of it is sent at the end, outside of that time.
    if !ExternalWork.isInVirtualTime { start() }
  }

  /// Sends the audio so far as far as the engine takes it.
  mutating func proceed(with audio: WyomingAudio) {
    guard var attempt else { return }
    do throws(WyomingError) {
      try attempt.proceed(with: audio)
      self.attempt = attempt
    } catch {
      attempt.cancel()
      self.attempt = nil
      losses += 1
      // The reason is reported at the end of the utterance, if it remains.
      if error.isLoss, losses < Self.mostLosses { start() }
    }
  }

  private mutating func start() { attempt = try? WyomingAttempt(listening, by: engine) }
}

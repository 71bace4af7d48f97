import SpeechConcurrency

/// What may be told to a pipeline while it runs.
final class ListeningControl: Sendable {
  private struct State {
    var isMuted = false
    var isEndWanted = false
    var endRule: UtteranceEndRule?
  }

  private let state = Guarded(State())

  var isMuted: Bool {
    get { state.withLock(\.isMuted) }
    set { state.withLock { $0.isMuted = newValue } }
  }

  var endRule: UtteranceEndRule? {
    get { state.withLock(\.endRule) }
    set { state.withLock { $0.endRule = newValue } }
  }

  /// Asks for the end of the utterance that is under way.
  func endUtterance() { state.withLock { $0.isEndWanted = true } }

  /// Whether the end was asked for since this was called last.
  func takeEnd() -> Bool {
    state.withLock { state in
      defer { state.isEndWanted = false }
      return state.isEndWanted
    }
  }
}

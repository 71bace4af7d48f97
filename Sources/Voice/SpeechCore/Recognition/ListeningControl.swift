import SpeechConcurrency

/// The runtime controls of a pipeline.
final class ListeningControl: Sendable {
  private struct State {
    var isMuted = false
    var isEndWanted = false
    var expectsKeyPhrase: Bool?
    var context: String?
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

  /// Sets whether a key phrase has to be heard from the next utterance on.
  func expectKeyPhrase(_ isExpected: Bool) {
    state.withLock { $0.expectsKeyPhrase = isExpected }
  }

  /// The latest such setting since the last call; `nil` without one.
  func takeKeyPhraseOrder() -> Bool? {
    state.withLock { state in
      defer { state.expectsKeyPhrase = nil }
      return state.expectsKeyPhrase
    }
  }

  /// Sets the words before the next utterance.
  func setContext(_ text: String) { state.withLock { $0.context = text } }

  /// The latest such words since the last call; `nil` without any.
  func takeContext() -> String? {
    state.withLock { state in
      defer { state.context = nil }
      return state.context
    }
  }

  /// Requests the end of the utterance in progress.
  func endUtterance() { state.withLock { $0.isEndWanted = true } }

  /// True if the end was requested since the last call.
  func takeEnd() -> Bool {
    state.withLock { state in
      defer { state.isEndWanted = false }
      return state.isEndWanted
    }
  }
}

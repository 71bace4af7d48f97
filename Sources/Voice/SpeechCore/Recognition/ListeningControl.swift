import SpeechConcurrency

/// What may be told to a pipeline while it runs.
final class ListeningControl: Sendable {
  private struct State {
    var isMuted = false
    var isEndWanted = false
    var expectsKeyPhrase: Bool?
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

  /// Says whether a key phrase has to be heard from the next utterance on.
  func expectKeyPhrase(_ isExpected: Bool) {
    state.withLock { $0.expectsKeyPhrase = isExpected }
  }

  /// What was said of that since this was called last.
  func takeKeyPhraseOrder() -> Bool? {
    state.withLock { state in
      defer { state.expectsKeyPhrase = nil }
      return state.expectsKeyPhrase
    }
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

import SpeechCore

// The events of the loop.
extension VoiceLoop {
  func note(_ input: TurnInput) {
    switch input {
    case .heard(.speechStarted, _): stopwatch.started(at: now)
    case .heard(.speechStopped(_, let second), let origin):
      stopwatch.stopped(lastVoice: origin + .seconds(second), at: now)
    default: break
    }
  }

  /// Reports an event to the loop's listeners, and keeps turn and stopwatch in step with it.
  func report(_ kind: VoiceLoopEvent.Kind) {
    switch kind {
    // The user does not get the floor of a loop that ends.
    case .listening where isOver: return
    case .userFinal:
      turn += 1
      stopwatch.begin(turn: turn)
      stopwatch.hasFinal(at: now)
    // Ignored speech is no part of the next turn.
    case .userIgnored: listening.results = []
    case .replyHeld: stopwatch.held(at: now)
    default: break
    }
    broadcast.send(VoiceLoopEvent(time: now, turn: turn, kind: kind))
  }

  func finishEndings() async {
    // An ending stays in the list until it is over, so that all callers wait for it.
    while let ending = endings.first {
      await ending.value
      if endings.first == ending { endings.removeFirst() }
    }
  }

  /// Ends the loop once the replies that were ended are over.
  func endSoon() {
    phase = .ending
    Task {
      await finishEndings()
      finish()
    }
  }

  func finish() {
    guard isRunning else { return }
    phase = .ended
    if let provider = recognition.provider as? any ConversationalRecognition {
      // Others may use the recogniser, so it is left as it was found.
      provider.isMuted = false
      if configuration.endRule != nil { provider.endRule = nil }
    }
    timers.cancel()
    listening.retry?.cancel()
    report(.ended)
    broadcast.finish()
  }
}

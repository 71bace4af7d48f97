import SpeechCore

// The loop's events.
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
    // It stays in the line until it is over: whoever else comes waits for it too.
    while let ending = endings.first {
      await ending.value
      if endings.first == ending { endings.removeFirst() }
    }
  }

  func finish() {
    guard isRunning else { return }
    phase = .ended
    if let provider = recognition.provider as? any ConversationalRecognition {
      // As it was found: others may use it.
      provider.isMuted = false
      if configuration.endRule != nil { provider.endRule = nil }
    }
    timers.cancel()
    listening.retry?.cancel()
    report(.ended)
    broadcast.finish()
  }
}

import SpeechCore

// What those who listen to the loop are told.
extension VoiceLoop {
  func note(_ input: TurnInput) {
    switch input {
    case .speechStarted: stopwatch.started(at: now)
    case .speechStopped(_, let lastVoice): stopwatch.stopped(lastVoice: lastVoice, at: now)
    default: break
    }
  }

  func announce(_ news: TurnNews) {
    switch news {
    case .listening: if !isOver { tell(.listening) }
    case .asleep: tell(.asleep)
    case .awake(let phrase): tell(.awake(phrase))
    case .userStarted: tell(.userStarted)
    case .userPartial(let text): tell(.userPartial(text))
    case .userFinal(let text):
      turn += 1
      stopwatch.begin(turn: turn)
      stopwatch.hasFinal(at: now)
      tell(.userFinal(text))
    case .userIgnored(let text, let reason):
      // What was not meant for us is no part of the next turn.
      results = []
      tell(.userIgnored(text, reason))
    case .thinking: tell(.thinking)
    case .replyHeld:
      stopwatch.held(at: now)
      tell(.replyHeld)
    case .replyResumed(let reason): tell(.replyResumed(reason))
    // Told when it is known what was heard.
    case .replyInterrupted, .replyFinished: break
    case .replyFailed(let reason): tell(.replyFailed(reason))
    case .prompted(let number): tell(.prompted(number))
    case .away: tell(.away)
    }
  }

  func tell(_ kind: VoiceLoopEvent.Kind) {
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
    isRunning = false
    isOver = true
    if let provider = recognition.provider as? any ConversationalRecognition {
      // As it was found: others may use it.
      provider.isMuted = false
      if configuration.endRule != nil { provider.endRule = nil }
    }
    alarm?.task.cancel()
    alarm = nil
    retry?.cancel()
    earconLimit?.cancel()
    for relay in relays { relay.cancel() }
    tell(.ended)
    broadcast.finish()
  }
}

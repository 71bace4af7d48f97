import SpeechAudio
import SpeechCore

// Input: what the recogniser hears.
extension VoiceLoop {
  func listen() async throws {
    let provider = recognition.provider as? any ConversationalRecognition
    provider?.endRule = configuration.endRule
    let heard = provider?.hearing
    let results = heard == nil ? recognition.results : nil
    followAttention()
    try await recognition.startListening(locale: configuration.locale)
    let number = listening.begin(at: now)
    listening.reader = Task { [weak self] in
      if let heard {
        for await event in heard { self?.take(event) }
      } else if let results {
        for await result in results { self?.take(resultAlone: result) }
      }
      self?.ended(number)
    }
  }

  func stopListening() {
    listening.retry?.cancel()
    recognition.stopListening()
  }

  /// Instructs the recogniser whether the wake word has to be heard first. The turn machine
  /// decides.
  ///
  /// - Parameter isForced: True to repeat the instruction, because the recogniser may have left
  ///   that state.
  func followAttention(isForced: Bool = false) {
    guard case .wakeWord = configuration.rules.attention else { return }
    let isExpected = machine.attention == .asleep
    guard isForced || isExpected != listening.expectsKeyPhrase else { return }
    listening.expectsKeyPhrase = isExpected
    (recognition.provider as? any ConversationalRecognition)?.expectKeyPhrase(isExpected)
  }

  func take(_ event: HearingEvent) {
    defer {
      // The recogniser continues with a command, which may not be wanted here.
      if case .result(let result) = event, result.keyPhrase != nil {
        followAttention(isForced: true)
      }
    }
    switch event {
    case .deviceLost(let error): report(.recognitionFailed(error))
    case .deviceReturned: report(.recognitionReturned)
    case .rejected(let utterance):
      if let error = utterance.failure { report(.recognitionFailed(error)) }
    case .result(let result) where result.isFinal: listening.results.append(result)
    default: break
    }
    handle(.heard(event, listeningSince: listening.origin))
  }

  func take(resultAlone result: SpeechRecognitionResult) {
    let second = (now - listening.origin).inSeconds
    for event in listening.resultHearing.events(for: result, at: second) { take(event) }
  }

  func ended(_ number: Int) {
    guard number == listening.count else { return }
    handle(.listeningEnded)
    guard phase == .running else { return }
    if let error = recognition.error {
      report(.recognitionFailed(error))
      listenAgain()
    } else if configuration.endsWithInput {
      listening.inputHasEnded = true
      endIfInputEnded()
    } else {
      listenAgain()
    }
  }

  /// Tries to listen again until it succeeds; without recognition there is no conversation.
  func listenAgain() {
    listening.retry = Task { [weak self, clock] in
      var delay = Duration.milliseconds(500)
      while !Task.isCancelled {
        try? await clock.sleep(until: clock.time + delay)
        delay = min(delay * 2, .seconds(10))
        guard let self, !Task.isCancelled, self.phase == .running else { return }
        guard (try? await self.listen()) != nil else { continue }
        self.report(.recognitionReturned)
        return
      }
    }
  }

  func endIfInputEnded() {
    guard listening.inputHasEnded, !isOver, performance == nil, inputs.isEmpty else { return }
    endSoon()
  }
}

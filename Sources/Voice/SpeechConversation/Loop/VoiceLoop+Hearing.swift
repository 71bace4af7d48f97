import SpeechAudio
import SpeechCore

// What comes in by the ear.
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

  /// When the wake word has to be said is decided here; a recogniser that has something to wait for it with is
  /// told.
  ///
  /// - Parameter isNews: whether it is to be told in any case, because it may believe something else.
  func followAttention(isNews: Bool = false) {
    guard case .wakeWord = configuration.rules.attention else { return }
    let isExpected = machine.attention == .asleep
    guard isNews || isExpected != listening.expectsKeyPhrase else { return }
    listening.expectsKeyPhrase = isExpected
    (recognition.provider as? any ConversationalRecognition)?.expectKeyPhrase(isExpected)
  }

  func take(_ event: HearingEvent) {
    defer {
      // It goes on with a command, which may not be wanted here.
      if case .result(let result) = event, result.keyPhrase != nil { followAttention(isNews: true) }
    }
    switch event {
    case .deviceLost(let error): report(.recognitionFailed(error))
    case .deviceReturned: report(.recognitionReturned)
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

  /// Tries until it works; there is no conversation without ears.
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
    phase = .ending
    Task {
      await finishEndings()
      finish()
    }
  }
}

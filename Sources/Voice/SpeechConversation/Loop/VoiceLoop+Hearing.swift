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
    hearing.origin = now
    listenings += 1
    let listening = listenings
    self.listening = Task { [weak self] in
      if let heard {
        for await event in heard { self?.take(event) }
      } else if let results {
        for await result in results { self?.take(resultAlone: result) }
      }
      self?.ended(listening)
    }
  }

  func stopListening() {
    retry?.cancel()
    recognition.stopListening()
  }

  /// When the wake word has to be said is decided here; a recogniser that has something to wait for it with is
  /// told.
  ///
  /// - Parameter isNews: whether it is to be told in any case, because it may believe something else.
  func followAttention(isNews: Bool = false) {
    guard case .wakeWord = configuration.rules.attention else { return }
    let isExpected = machine.attention == .asleep
    guard isNews || isExpected != expectsKeyPhrase else { return }
    expectsKeyPhrase = isExpected
    (recognition.provider as? any ConversationalRecognition)?.expectKeyPhrase(isExpected)
  }

  func take(_ event: HearingEvent) {
    defer {
      // It goes on with a command, which may not be wanted here.
      if case .result(let result) = event, result.keyPhrase != nil { followAttention(isNews: true) }
    }
    switch event {
    case .deviceLost(let error): tell(.recognitionFailed(error))
    case .deviceReturned: tell(.recognitionReturned)
    case .result(let result) where result.isFinal: results.append(result)
    default: break
    }
    for input in hearing.inputs(for: event) { handle(input) }
  }

  func take(resultAlone result: SpeechRecognitionResult) {
    if result.isFinal { results.append(result) }
    for input in hearing.inputs(forResultAlone: result, at: now) { handle(input) }
  }

  func ended(_ listening: Int) {
    guard listening == listenings else { return }
    for input in hearing.end() { handle(input) }
    guard isRunning, !isOver, !isPaused else { return }
    if let error = recognition.error {
      tell(.recognitionFailed(error))
      listenAgain()
    } else if configuration.endsWithInput {
      inputHasEnded = true
      endIfInputEnded()
    } else {
      listenAgain()
    }
  }

  /// Tries until it works; there is no conversation without ears.
  func listenAgain() {
    retry = Task { [weak self, clock] in
      var delay = Duration.milliseconds(500)
      while !Task.isCancelled {
        try? await clock.sleep(until: clock.time + delay)
        delay = min(delay * 2, .seconds(10))
        guard let self, !Task.isCancelled, self.isRunning, !self.isOver, !self.isPaused else {
          return
        }
        guard (try? await self.listen()) != nil else { continue }
        self.tell(.recognitionReturned)
        return
      }
    }
  }

  func endIfInputEnded() {
    guard inputHasEnded, !isOver, performance == nil, inputs.isEmpty else { return }
    isOver = true
    Task {
      await finishEndings()
      finish()
    }
  }
}

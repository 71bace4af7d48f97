import SpeechConcurrency
import SpeechCore

// Output: what the loop says.
extension VoiceLoop {
  /// Asks the responder, once it is known what the user has heard of the last reply.
  ///
  /// - Parameter place: The number of places in the history when the turn was taken.
  func reply(to turn: UserTurn, after place: Int) async -> ReplyStream {
    await finishEndings()
    // The reply is no longer wanted, and a responder may switch a light.
    guard !Task.isCancelled else { return .saying("") }
    let before = history.prefix(places: place)
    return HandlerCall.run(responder.handlerName) { responder.reply(to: turn, in: before) }
  }

  func voice(_ number: Int) {
    guard let performance = performance(number) else { return }
    if let question = performance.question {
      performance.questionPlace = history.addUser(question)
    }
    listening.results = []
    performance.voice.allow()
  }

  func performance(_ number: Int) -> ReplyPerformance? {
    performance?.number == number ? performance : nil
  }

  func makePerformance(_ number: Int, question: String? = nil) -> ReplyPerformance {
    let made = ReplyPerformance(
      number: number, question: question, engine: synthesis, voice: configuration.voice,
      aligner: configuration.aligner,
      timeout: ReplyVoice.Timeout(limit: configuration.voiceLimit, clock: clock)
    ) { [weak self] event in self?.take(event, of: number) }
    performance = made
    return made
  }

  func take(_ event: ReplyPerformance.Event, of number: Int) {
    guard performance?.number == number else { return }
    switch event {
    case .text(let text, let isInterruptible):
      stopwatch.hasToken(at: now)
      report(.replyText(text))
      handle(.replyText(reply: number, text: text, isInterruptible: isInterruptible))
    case .goodbye: break
    case .complete: handle(.replyComplete(reply: number))
    case .failed(let reason): handle(.replyFailed(reply: number, reason: reason))
    case .voice(.started(let sentence, let isInterruptible)):
      if stopwatch.hasSound(at: now) { report(.timings(stopwatch.timings)) }
      report(.speaking(sentence))
      (recognition.provider as? any ConversationalRecognition)?.setContext(sentence)
      handle(.audioStarted(reply: number, isInterruptible: isInterruptible))
    case .voice(.word(let range)): report(.word(range))
    case .voice(.ended): handle(.audioEnded(reply: number))
    case .voice(.failed(let error)): report(.voiceFailed(error))
    }
  }

  /// Ends a reply at once. The heard part is known a moment later.
  ///
  /// - Parameter hasSounded: True if the reply is known to have been heard. Its first audio may
  ///   still be on the way.
  func end(_ number: Int, hasSounded: Bool) {
    guard let ended = performance(number) else { return }
    performance = nil
    let place = history.keepPlace()
    endings.append(
      Task {
        let ledger = await ended.stop()
        guard hasSounded || !ledger.heard.isEmpty else { return }
        history.setReply(place, ledger)
        report(.interrupted(heard: ledger.heard, unheard: ledger.unheard))
      })
  }

  func conclude(_ number: Int) {
    guard let ended = performance(number) else { return }
    performance = nil
    let ledger = ended.voice.ledger
    if !ledger.sentences.isEmpty { history.addReply(ledger) }
    report(.replyFinished(ledger.heard))
    if ended.saidGoodbye {
      endSoon()
      stopListening()
    }
  }

  /// Relays the engine's events to the reply that they belong to.
  func followVoice() {
    let (events, positions) = (synthesis.events, synthesis.positions)
    timers.relays.append(
      Task { [weak self] in
        for await event in events where event == .started {
          self?.performance?.voice.audioStarted()
        }
      })
    timers.relays.append(
      Task { [weak self] in
        for await position in positions { self?.performance?.voice.reached(position) }
      })
  }

  func playEarcon() {
    guard let earcon = configuration.earcon else { return handle(.earconEnded) }
    let playing = Task {
      // A conversation continues without its earcon.
      try? await earcon.play()
      guard !Task.isCancelled else { return }
      timers.earcon?.cancel()
      handle(.earconEnded)
    }
    // An output that makes no progress must not keep the microphone muted.
    let (clock, limit) = (clock, earcon.sound.duration + .seconds(1))
    timers.earcon = Task { [weak self] in
      try? await clock.sleep(until: clock.time + limit)
      guard !Task.isCancelled else { return }
      playing.cancel()
      self?.handle(.earconEnded)
    }
  }
}

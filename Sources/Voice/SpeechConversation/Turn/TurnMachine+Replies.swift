extension TurnMachine {
  /// Accepts the user's words as a turn.
  mutating func accept(_ text: String) {
    earconTime = nil
    actions.append(.report(.userFinal(text)))
    guard isOpen else { return }
    guard let current = reply else {
      respond(to: text, isEarly: false)
      return
    }
    if current.isEarly, SpokenWords(current.question ?? "") == SpokenWords(text) {
      reply?.stage = .unheard
      reply?.asked = time
      actions.append(.report(.thinking))
      actions.append(.voice(reply: current.number))
      finishIfEmpty()
    } else if current.hasSounded, !isInterruptible(current) {
      unanswered = [unanswered, text].compactMap(\.self).joined(separator: " ")
      resumeReply(.answeredLater)
    } else if current.hasSounded {
      endReply()
      respond(to: text, isEarly: false)
    } else {
      // The user continued before anything was heard, so both parts are one question.
      let question = [current.isEarly ? nil : current.question, text].compactMap(\.self)
      reply = nil
      actions.append(
        question.count > 1 ? .supersede(reply: current.number) : .discard(reply: current.number))
      respond(to: question.joined(separator: " "), isEarly: false)
      announce(current.announcement)
    }
  }

  mutating func respond(to text: String, isEarly: Bool) {
    var text = text
    if !isEarly, let before = unanswered {
      // Both are to be answered, in this order.
      unanswered = nil
      text = before + " " + text
    }
    let made = makeReply(to: text, isEarly: isEarly)
    reply = made
    if !isEarly { actions.append(.report(.thinking)) }
    actions.append(.respond(reply: made.number, to: text, isEarly: isEarly))
    if !isEarly { actions.append(.voice(reply: made.number)) }
  }

  /// Ends the reply at the app's request, and answers what was waiting for its end.
  mutating func interrupt() {
    endReply()
    if let text = unanswered {
      unanswered = nil
      respond(to: text, isEarly: false)
    }
  }

  mutating func say(_ text: String) {
    guard isOpen, !SpokenWords(text).isEmpty else { return }
    if let reply, reply.question != nil, !reply.isEarly, !reply.hasSounded {
      // The user still waits for an answer: speak this text before it.
      announce(text)
      return
    }
    let before = reply?.announcement ?? ""
    endReply()
    let text = before.isEmpty ? text : before + " " + text
    var made = makeReply(to: nil)
    made.hasText = true
    made.isComplete = true
    made.announcement = text
    reply = made
    ownWords.add(text)
    actions.append(.say(reply: made.number, text: text))
  }

  /// Speaks text of the app's own before the reply that is being prepared.
  private mutating func announce(_ text: String) {
    guard let current = reply, !text.isEmpty else { return }
    reply?.announcement = current.announcement.isEmpty ? text : current.announcement + " " + text
    ownWords.add(text)
    actions.append(.fill(reply: current.number, text: text))
  }

  mutating func take(_ text: String, of number: Int, _ isInterruptible: Bool) {
    guard reply?.number == number, reply?.isComplete == false else { return }
    if !SpokenWords(text).isEmpty { reply?.hasText = true }
    // Each piece shows that the responder is alive.
    reply?.asked = time
    ownWords.add(text)
  }

  mutating func complete(_ number: Int) {
    guard reply?.number == number else { return }
    reply?.isComplete = true
    finishIfEmpty()
  }

  mutating func fail(_ number: Int, _ reason: String) {
    guard let current = reply, current.number == number, !current.isComplete else { return }
    guard !current.isEarly else {
      // The guess was never accepted. The final text will be asked instead.
      discardReply()
      return
    }
    actions.append(.report(.replyFailed(reason)))
    reply?.isComplete = true
    if !current.hasText, !rules.failureText.isEmpty {
      reply?.hasText = true
      ownWords.add(rules.failureText)
      actions.append(.fill(reply: number, text: rules.failureText))
    }
    finishIfEmpty()
  }

  mutating func fillReply() {
    guard let current = reply else { return }
    reply?.isFilled = true
    guard !rules.fillerText.isEmpty else { return }
    ownWords.add(rules.fillerText)
    actions.append(.fill(reply: current.number, text: rules.fillerText))
  }

  mutating func sound(_ number: Int, _ isInterruptible: Bool) {
    guard let current = reply, current.number == number else { return }
    reply?.stage = .sounding
    reply?.announcement = ""
    reply?.isInterruptible = isInterruptible
    if rules.isHalfDuplex { unmuteTime = nil }
    if rules.isHalfDuplex, current.isHeld {
      // It started while it was held: the microphone stays open.
    } else if rules.isHalfDuplex, wouldHold(for: utterance) {
      // The user spoke first and would be cut off by muting.
      holdReply()
    } else {
      muteIfHalfDuplex()
      holdIfReason()
    }
  }

  mutating func silence(_ number: Int) {
    guard let current = reply, current.number == number, !current.isEarly else { return }
    if current.isSounding { reply?.stage = .quiet }
    if current.isComplete { finish() }
  }

  /// Finishes a reply without a word as soon as it is complete.
  private mutating func finishIfEmpty() {
    // A reply whose text has not been spoken ends with its audio.
    guard let reply, reply.isComplete, !reply.isEarly, !reply.isSounding, !reply.hasText,
      reply.announcement.isEmpty,
      !reply.isFilled || reply.hasSounded || rules.fillerText.isEmpty
    else { return }
    finish()
  }

  private mutating func finish() {
    guard let current = reply else { return }
    reply = nil
    quietSince = time
    if current.hasSounded { ownVoiceEnd = time }
    actions.append(.conclude(reply: current.number))
    unmuteLater()
    if let text = unanswered {
      unanswered = nil
      respond(to: text, isEarly: false)
    } else if attention == .awake, !isMuted {
      actions.append(.report(.listening))
    }
  }

  /// Ends the reply, if there is one, and keeps the part that was heard.
  mutating func endReply() {
    guard let current = reply else { return }
    guard current.hasSounded else {
      discardReply()
      return
    }
    reply = nil
    quietSince = time
    ownVoiceEnd = time
    actions.append(.interrupt(reply: current.number))
    unmuteLater()
  }

  mutating func discardReply() {
    guard let current = reply else { return }
    reply = nil
    actions.append(.discard(reply: current.number))
  }

  // MARK: Holding

  func isInterruptible(_ reply: Reply) -> Bool {
    rules.interruption.isAllowed && (reply.isInterruptible || !reply.isSounding)
  }

  /// Returns true if the utterance holds the reply once it is long enough.
  func wouldHold(for utterance: Utterance?) -> Bool {
    guard let utterance, let reply, !reply.isHeld, !reply.isEarly, utterance.isAddressed,
      !utterance.isSettled, isInterruptible(reply)
    else { return false }
    let words = SpokenWords(utterance.partial)
    if rules.ignoresOwnWords, reply.hasSounded, ownWords.contain(words) { return false }
    // A listener's sound does not hold a reply that is being heard.
    return words.isEmpty || !reply.hasSounded
      || !words.areMade(of: rules.interruption.listenerSounds)
  }

  /// The duration of speech after which the reply is held. A reply that makes no sound does not
  /// begin to while the user speaks.
  var holdDelay: Duration {
    reply?.isSounding == true ? rules.interruption.minimumSpeech : .zero
  }

  mutating func holdIfReason() {
    guard let utterance, wouldHold(for: utterance), time >= utterance.started + holdDelay
    else { return }
    let words = SpokenWords(utterance.partial).count(without: rules.interruption.listenerSounds)
    if words >= rules.interruption.minimumWords { holdReply() }
  }

  mutating func holdReply() {
    guard let current = reply, !current.isHeld else { return }
    reply?.isHeld = true
    actions.append(.hold(reply: current.number))
    if current.hasSounded { actions.append(.report(.replyHeld)) }
  }

  mutating func resumeReply(_ reason: IgnoringReason) {
    guard let current = reply else { return }
    if current.isEarly {
      discardReply()
      return
    }
    guard current.isHeld else { return }
    reply?.isHeld = false
    // The responder's time limit does not run while its reply is held.
    reply?.asked = time
    if current.hasSounded {
      actions.append(.report(.replyResumed(reason)))
      muteIfHalfDuplex()
    }
    actions.append(.resume(reply: current.number))
  }

  // MARK: The microphone

  mutating func mute() {
    unmuteTime = nil
    guard !isMuted else { return }
    isMuted = true
    actions.append(.mute(true))
    if let current = utterance {
      forget(current.id)
    }
  }

  private mutating func muteIfHalfDuplex() {
    if rules.isHalfDuplex { mute() }
  }

  private mutating func unmuteLater() {
    if isMuted { unmuteTime = time + rules.echoTail }
  }
}

import Foundation
import SpeechCore

extension TurnMachine {
  mutating func take(
    _ event: HearingEvent, listeningSince origin: Duration, _ actions: inout [TurnAction]
  ) {
    switch event {
    case .speechStarted(let id, _): begin(id, &actions)
    case .speechPaused(let id, _): pause(id, &actions)
    case .speechResumed(let id, _): resume(id, &actions)
    case .speechStopped(let id, let second):
      if utterance?.id == id { utterance?.lastVoice = origin + .seconds(second) }
    case .result(let result) where result.isFinal:
      hear(final: result.text, of: result.utteranceID, &actions)
    case .result(let result): hear(partial: result.text, of: result.utteranceID, &actions)
    case .rejected(let rejected):
      let nearest = rejected.nearest
      ignore(nearest.text, of: nearest.utteranceID, .rejected, &actions)
    case .speechEnded(let id, _): end(id, &actions)
    case .deviceLost, .deviceReturned: break
    }
  }

  /// Ignores everything that arrives about the utterance from now on.
  mutating func forget(_ id: UUID) {
    utterance = nil
    forgotten.append(id)
    // Only the most recent utterances can still have events on their way.
    if forgotten.count > 16 { forgotten.removeFirst() }
  }

  mutating func begin(_ id: UUID, _ actions: inout [TurnAction]) {
    guard utterance?.id != id, !forgotten.contains(id) else { return }
    if let before = utterance { end(before.id, &actions) }
    let isAddressed =
      switch rules.attention {
      case .always: true
      case .wakeWord: attention == .awake
      case .pushToTalk: isKeyDown || isStillFromKey
      }
    utterance = Utterance(id: id, started: time, isAddressed: isAddressed)
    if isAddressed { actions.append(.report(.userStarted)) }
    if isStillFromKey {
      utterance?.isBeingEnded = true
      actions.append(.endUtterance)
    }
    keyReleased = nil
  }

  mutating func hear(partial text: String, of id: UUID, _ actions: inout [TurnAction]) {
    begin(id, &actions)
    guard let current = utterance, current.id == id, !current.isSettled else { return }
    utterance?.partial = text
    wakeIfCalled(text, isFinal: false, &actions)
    guard utterance?.isAddressed == true || isStopWord(text) else { return }
    if isStopWord(text), let reply, reply.hasSounded {
      // Be silent at once. Whether it was a stop word is certain with the final text.
      if isInterruptible(reply) { holdReply(&actions) }
      return
    }
    actions.append(.report(.userPartial(command(in: text))))
    if let early = reply, early.isEarly,
      SpokenWords(early.question ?? "") != SpokenWords(command(in: text))
    {
      discardReply(&actions)
    }
    holdIfReason(&actions)
  }

  mutating func pause(_ id: UUID, _ actions: inout [TurnAction]) {
    guard let current = utterance, current.id == id else { return }
    utterance?.isPaused = true
    let text = command(in: current.partial)
    guard isOpen, rules.answersEarly, current.isAddressed, reply == nil, !SpokenWords(text).isEmpty
    else {
      return
    }
    respond(to: text, isEarly: true, &actions)
  }

  mutating func resume(_ id: UUID, _ actions: inout [TurnAction]) {
    guard utterance?.id == id else { return }
    utterance?.isPaused = false
    if reply?.isEarly == true { discardReply(&actions) }
  }

  mutating func hear(final text: String, of id: UUID, _ actions: inout [TurnAction]) {
    begin(id, &actions)
    guard let current = utterance, current.id == id, !current.isSettled else { return }
    wakeIfCalled(text, isFinal: true, &actions)
    let command = command(in: text)
    let words = SpokenWords(command)
    if isStopWord(command), obeyStopWord(command, &actions) {
      settle(&actions)
      return
    }
    guard utterance?.isAddressed == true else {
      ignore(text, of: id, .notAddressed, &actions)
      return
    }
    if words.isEmpty {
      if SpokenWords(text).isEmpty {
        ignore(text, of: id, .nothingUnderstood, &actions)
      } else {
        // The wake word alone, over a reply, means that the user wants something else.
        settle(&actions)
        endReply(&actions)
      }
    } else if reply?.hasSounded == true || hasJustSpoken, rules.ignoresOwnWords,
      ownWords.contain(words)
    {
      ignore(text, of: id, .ownWords, &actions)
    } else if reply?.hasSounded == true, words.areMade(of: rules.interruption.listenerSounds) {
      ignore(text, of: id, .listenerSound, &actions)
    } else {
      settle(&actions)
      accept(command, &actions)
    }
  }

  /// Settles an utterance that is not answered, and resumes the reply that it held.
  mutating func ignore(
    _ text: String, of id: UUID, _ reason: IgnoringReason, _ actions: inout [TurnAction]
  ) {
    begin(id, &actions)
    guard let current = utterance, current.id == id, !current.isSettled else { return }
    settle(&actions)
    if current.isAddressed || reason == .notAddressed {
      actions.append(.report(.userIgnored(text, reason)))
    }
    resumeReply(reason, &actions)
  }

  mutating func end(_ id: UUID, _ actions: inout [TurnAction]) {
    guard let current = utterance, current.id == id else { return }
    if !current.isSettled {
      ignore("", of: id, .nothingUnderstood, &actions)
    }
    forget(id)
    quietSince = time
    userQuietSince = time
  }

  mutating func wake(_ phrase: String, _ actions: inout [TurnAction]) {
    guard isOpen, rules.attention != .always else { return }
    utterance?.isAddressed = true
    quietSince = time
    isAway = false
    guard attention == .asleep else { return }
    attention = .awake
    actions.append(.report(.awake(phrase)))
    if utterance == nil { playEarcon(&actions) }
  }

  mutating func pressKey(_ actions: inout [TurnAction]) {
    guard isOpen, rules.attention == .pushToTalk, !isKeyDown else { return }
    isKeyDown = true
    keyReleased = nil
    attention = .awake
    isAway = false
    // The key states more clearly than any voice that the user wants the floor.
    endReply(&actions)
    utterance?.isAddressed = true
    actions.append(.report(.listening))
  }

  mutating func releaseKey(_ actions: inout [TurnAction]) {
    guard isKeyDown else { return }
    isKeyDown = false
    attention = .asleep
    if utterance != nil {
      utterance?.isBeingEnded = true
      actions.append(.endUtterance)
    } else {
      keyReleased = time
    }
    actions.append(.report(.asleep))
  }

  /// True if an utterance that begins now was spoken while the key was down: speech is detected
  /// with a delay.
  private var isStillFromKey: Bool {
    guard !isKeyDown, let keyReleased else { return false }
    return time <= keyReleased + .milliseconds(300)
  }

  /// Returns the words after the wake word, or the whole text if it contains none.
  func command(in text: String) -> String {
    guard case .wakeWord(let phrases, _) = rules.attention else { return text }
    for phrase in phrases {
      if let rest = SpokenWords.text(text, after: phrase) { return rest }
    }
    return text
  }

  private mutating func wakeIfCalled(
    _ text: String, isFinal: Bool, _ actions: inout [TurnAction]
  ) {
    guard case .wakeWord(let phrases, _) = rules.attention,
      let phrase = phrases.first(where: { SpokenWords.text(text, after: $0) != nil })
    else { return }
    wake(phrase, &actions)
    guard isFinal, SpokenWords(command(in: text)).isEmpty, rules.hasEarcon, reply == nil else {
      return
    }
    // A key-phrase spotter reports the phrase in mid-breath, where an earcon would cover the
    // command that follows.
    earconTime = utterance?.lastVoice.map { max(time, $0 + Self.breath) } ?? time
  }

  /// A user who continues in the same breath has started to by then.
  private static let breath = Duration.milliseconds(500)

  mutating func playEarcon(_ actions: inout [TurnAction]) {
    earconTime = nil
    guard rules.hasEarcon, reply == nil else { return }
    mute(&actions)
    actions.append(.playEarcon)
  }

  /// True if the utterance began so soon after the loop's own voice that it may be reverberation of
  /// it.
  private var hasJustSpoken: Bool {
    guard reply == nil, let ownVoiceEnd, let utterance else { return false }
    return utterance.started <= ownVoiceEnd + .seconds(1)
  }

  private func isStopWord(_ text: String) -> Bool {
    SpokenWords(text).isOne(of: rules.interruption.stopWords)
  }

  /// Ends the reply that a stop word is meant for. Returns false if there is none and the word is a
  /// word like any other.
  private mutating func obeyStopWord(_ text: String, _ actions: inout [TurnAction]) -> Bool {
    guard let reply, !reply.isEarly else { return false }
    unanswered = nil
    actions.append(.report(.userIgnored(text, .stopWord)))
    endReply(&actions)
    return true
  }

  private mutating func settle(_ actions: inout [TurnAction]) {
    utterance?.isSettled = true
    quietSince = time
    userQuietSince = time
    promptsSaid = 0
    isAway = false
  }
}

import Foundation
import SpeechCore

extension TurnMachine {
  mutating func take(_ event: HearingEvent, listeningSince origin: Duration) {
    switch event {
    case .speechStarted(let id, _): begin(id)
    case .speechPaused(let id, _): pause(id)
    case .speechResumed(let id, _): resume(id)
    case .speechStopped(let id, let second):
      if utterance?.id == id { utterance?.lastVoice = origin + .seconds(second) }
    case .result(let result) where result.isFinal:
      hear(final: result.text, of: result.utteranceID)
    case .result(let result): hear(partial: result.text, of: result.utteranceID)
    case .rejected(let rejected):
      let nearest = rejected.nearest
      ignore(nearest.text, of: nearest.utteranceID, .rejected)
    case .speechEnded(let id, _): end(id)
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

  mutating func begin(_ id: UUID) {
    guard utterance?.id != id, !forgotten.contains(id) else { return }
    if let before = utterance { end(before.id) }
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

  mutating func hear(partial text: String, of id: UUID) {
    begin(id)
    guard let current = utterance, current.id == id, !current.isSettled else { return }
    utterance?.partial = text
    wakeIfCalled(text, isFinal: false)
    guard utterance?.isAddressed == true || isStopWord(text) else { return }
    if isStopWord(text), let reply, reply.hasSounded {
      // Be silent at once. Whether it was a stop word is certain with the final text.
      if isInterruptible(reply) { holdReply() }
      return
    }
    actions.append(.report(.userPartial(command(in: text))))
    if let early = reply, early.isEarly,
      SpokenWords(early.question ?? "") != SpokenWords(command(in: text))
    {
      discardReply()
    }
    holdIfReason()
  }

  mutating func pause(_ id: UUID) {
    guard let current = utterance, current.id == id else { return }
    let text = command(in: current.partial)
    guard isOpen, rules.answersEarly, current.isAddressed, reply == nil, !SpokenWords(text).isEmpty
    else { return }
    respond(to: text, isEarly: true)
  }

  mutating func resume(_ id: UUID) {
    guard utterance?.id == id else { return }
    if reply?.isEarly == true { discardReply() }
  }

  mutating func hear(final text: String, of id: UUID) {
    begin(id)
    guard let current = utterance, current.id == id, !current.isSettled else { return }
    wakeIfCalled(text, isFinal: true)
    let command = command(in: text)
    let words = SpokenWords(command)
    if isStopWord(command), obeyStopWord(command) {
      settle()
      return
    }
    guard utterance?.isAddressed == true else {
      ignore(text, of: id, .notAddressed)
      return
    }
    if words.isEmpty {
      if SpokenWords(text).isEmpty {
        ignore(text, of: id, .nothingUnderstood)
      } else {
        // The wake word alone, over a reply, means that the user wants something else.
        settle()
        endReply()
      }
    } else if reply?.hasSounded == true || hasJustSpoken, rules.ignoresOwnWords,
      ownWords.contain(words)
    {
      ignore(text, of: id, .ownWords)
    } else if reply?.hasSounded == true, words.areMade(of: rules.interruption.listenerSounds) {
      ignore(text, of: id, .listenerSound)
    } else {
      settle()
      accept(command)
    }
  }

  /// Settles an utterance that is not answered, and resumes the reply that it held.
  mutating func ignore(_ text: String, of id: UUID, _ reason: IgnoringReason) {
    begin(id)
    guard let current = utterance, current.id == id, !current.isSettled else { return }
    settle()
    if current.isAddressed || reason == .notAddressed {
      actions.append(.report(.userIgnored(text, reason)))
    }
    resumeReply(reason)
  }

  mutating func end(_ id: UUID) {
    guard let current = utterance, current.id == id else { return }
    if !current.isSettled {
      ignore("", of: id, .nothingUnderstood)
    }
    forget(id)
    quietSince = time
    userQuietSince = time
  }

  mutating func wake(_ phrase: String) {
    guard isOpen, rules.attention != .always else { return }
    utterance?.isAddressed = true
    quietSince = time
    isAway = false
    guard attention == .asleep else { return }
    attention = .awake
    actions.append(.report(.awake(phrase)))
    if utterance == nil { playEarcon() }
  }

  mutating func pressKey() {
    guard isOpen, rules.attention == .pushToTalk, !isKeyDown else { return }
    isKeyDown = true
    keyReleased = nil
    attention = .awake
    isAway = false
    // The key states more clearly than any voice that the user wants the floor.
    endReply()
    utterance?.isAddressed = true
    actions.append(.report(.listening))
  }

  mutating func releaseKey() {
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

  private mutating func wakeIfCalled(_ text: String, isFinal: Bool) {
    guard case .wakeWord(let phrases, _) = rules.attention,
      let phrase = phrases.first(where: { SpokenWords.text(text, after: $0) != nil })
    else { return }
    wake(phrase)
    guard isFinal, SpokenWords(command(in: text)).isEmpty, rules.hasEarcon, reply == nil else {
      return
    }
    // A key-phrase spotter reports the phrase in mid-breath, where an earcon would cover the
    // command that follows.
    earconTime = utterance?.lastVoice.map { max(time, $0 + Self.breath) } ?? time
  }

  /// A user who continues in the same breath has started to by then.
  private static let breath = Duration.milliseconds(500)

  mutating func playEarcon() {
    earconTime = nil
    guard rules.hasEarcon, reply == nil else { return }
    mute()
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
  private mutating func obeyStopWord(_ text: String) -> Bool {
    guard let reply, !reply.isEarly else { return false }
    unanswered = nil
    actions.append(.report(.userIgnored(text, .stopWord)))
    endReply()
    return true
  }

  private mutating func settle() {
    utterance?.isSettled = true
    quietSince = time
    userQuietSince = time
    promptsSaid = 0
    isAway = false
  }
}

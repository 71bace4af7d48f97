extension TurnMachine {
  /// An action that is due at a certain time unless something happens before.
  enum Due: Sendable, Equatable {
    case holdReply
    case endUtterance
    case fillReply
    case stopWaiting
    case unmute
    case playEarcon
    case prompt
    case fallAsleep
    case leave
  }

  /// The actions that are due later in the present state.
  var dueTimes: [(due: Due, time: Duration)] {
    guard isOpen else { return [] }
    var times: [(due: Due, time: Duration)] = []
    if let unmuteTime { times.append((.unmute, unmuteTime)) }
    if let earconTime, utterance?.isSettled ?? true { times.append((.playEarcon, earconTime)) }
    if let utterance {
      if !utterance.isBeingEnded {
        times.append((.endUtterance, utterance.started + rules.maximumTurn))
      }
      if wouldHold(for: utterance), rules.interruption.minimumWords == 0 {
        times.append((.holdReply, utterance.started + holdDelay))
      }
    }
    if let reply, !reply.isComplete, !reply.isEarly {
      if let delay = rules.fillerDelay, !reply.hasText, !reply.isFilled, !reply.isHeld,
        reply.question != nil
      {
        times.append((.fillReply, reply.asked + delay))
      }
      times.append((.stopWaiting, reply.asked + rules.replyLimit))
    }
    if utterance == nil, reply == nil { times += quietTimes }
    return times
  }

  /// The consequences of silence.
  private var quietTimes: [(due: Due, time: Duration)] {
    var times: [(due: Due, time: Duration)] = []
    if attention == .awake, !isAway {
      if let prompt = rules.prompt, promptsSaid < prompt.texts.count {
        times.append((.prompt, quietSince + prompt.after))
      }
      if case .wakeWord(_, let window) = rules.attention {
        times.append((.fallAsleep, quietSince + window))
      }
    }
    if let away = rules.awayAfter, !isAway {
      // Not while the loop itself was speaking.
      times.append((.leave, max(userQuietSince + away, quietSince)))
    }
    return times
  }

  /// Performs everything that is due, the earliest first.
  mutating func passTime() {
    // Each action removes its own cause. The bound guards against one that does not.
    for _ in 0..<100 {
      guard let next = dueTimes.filter({ $0.time <= time }).min(by: { $0.time < $1.time }) else {
        return
      }
      act(next.due)
    }
  }

  private mutating func act(_ due: Due) {
    switch due {
    case .holdReply: holdReply()
    case .endUtterance:
      utterance?.isBeingEnded = true
      actions.append(.endUtterance)
    case .fillReply: fillReply()
    case .stopWaiting:
      guard let reply else { return }
      actions.append(.stopWaiting(reply: reply.number))
      fail(reply.number, "There was no answer in time.")
    case .unmute:
      unmuteTime = nil
      guard isMuted else { return }
      isMuted = false
      actions.append(.mute(false))
      if attention == .awake, reply == nil { actions.append(.report(.listening)) }
    case .playEarcon: playEarcon()
    case .prompt:
      guard let prompt = rules.prompt else { return }
      let text = prompt.texts[promptsSaid]
      promptsSaid += 1
      actions.append(.report(.prompted(promptsSaid)))
      say(text)
    case .fallAsleep:
      attention = .asleep
      earconTime = nil
      actions.append(.report(.asleep))
    case .leave:
      isAway = true
      actions.append(.report(.away))
      if attention == .awake, rules.attention != .always {
        attention = .asleep
        actions.append(.report(.asleep))
      }
    }
  }
}

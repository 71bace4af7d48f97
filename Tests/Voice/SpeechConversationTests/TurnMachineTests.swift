import SpeechConversation
import Testing

struct TurnMachineTests {
  /// A machine and the time of its inputs.
  private struct Play {
    var machine: TurnMachine
    var time = Duration.zero

    init(_ rules: TurnRules = TurnRules()) {
      machine = TurnMachine(rules: rules)
      _ = machine.handle(.opened, at: .zero)
    }

    mutating func after(_ seconds: Double, _ input: TurnInput) -> [TurnAction] {
      time += .seconds(seconds)
      return machine.handle(input, at: time)
    }

    /// Advances to the deadline if it is at most that many seconds away.
    mutating func passTime(upTo seconds: Double = 1_000) -> [TurnAction] {
      guard let deadline = machine.deadline, deadline <= time + .seconds(seconds) else { return [] }
      time = max(time, deadline)
      return machine.handle(.timePassed, at: time)
    }

    /// A complete utterance, which takes a second.
    mutating func say(_ text: String, utterance: Int) -> [TurnAction] {
      var actions = after(1, .speechStarted(utterance: utterance))
      actions += after(0.5, .partial(utterance: utterance, text: text))
      actions += after(0.5, .speechStopped(utterance: utterance, lastVoice: time))
      actions += after(0, .final(utterance: utterance, text: text))
      actions += after(0, .speechEnded(utterance: utterance))
      return actions
    }

    /// A question, and its reply up to the first audio.
    mutating func converse(isInterruptible: Bool = true) {
      _ = say("tell me a story", utterance: 1)
      _ = after(
        0.1,
        .replyText(reply: 1, text: "Once upon a time there was a king.", isInterruptible: true))
      _ = after(0.1, .audioStarted(reply: 1, isInterruptible: isInterruptible))
      _ = after(0.1, .replyComplete(reply: 1))
    }
  }

  @Test func `a turn is answered`() {
    var play = Play()
    #expect(
      play.say("hello", utterance: 1) == [
        .report(.userStarted), .report(.userPartial("hello")), .report(.userFinal("hello")),
        .report(.thinking), .respond(reply: 1, to: "hello", isEarly: false), .voice(reply: 1),
      ])
    #expect(play.after(1, .replyText(reply: 1, text: "Hi.", isInterruptible: true)) == [])
    #expect(play.after(0, .replyComplete(reply: 1)) == [])
    #expect(play.after(0, .audioStarted(reply: 1, isInterruptible: true)) == [])
    #expect(
      play.after(1, .audioEnded(reply: 1)) == [
        .conclude(reply: 1), .report(.listening),
      ])
  }

  @Test func `audio that ends before the text is complete does not end the reply`() {
    var play = Play()
    _ = play.say("hello", utterance: 1)
    _ = play.after(1, .replyText(reply: 1, text: "Hi. ", isInterruptible: true))
    _ = play.after(0, .audioStarted(reply: 1, isInterruptible: true))
    #expect(play.after(1, .audioEnded(reply: 1)) == [])
    _ = play.after(1, .replyText(reply: 1, text: "You.", isInterruptible: true))
    _ = play.after(0, .audioStarted(reply: 1, isInterruptible: true))
    _ = play.after(0, .replyComplete(reply: 1))
    #expect(play.after(1, .audioEnded(reply: 1)).contains(.conclude(reply: 1)))
  }

  @Test func `an empty reply ends at once`() {
    var play = Play()
    _ = play.say("hello", utterance: 1)
    #expect(play.after(1, .replyComplete(reply: 1)) == [.conclude(reply: 1), .report(.listening)])
  }

  @Test func `the user's voice holds the reply, and recognised words end it`() {
    var play = Play()
    play.converse()
    #expect(play.after(1, .speechStarted(utterance: 2)) == [.report(.userStarted)])
    #expect(play.passTime(upTo: 0.3) == [.hold(reply: 1), .report(.replyHeld)])
    _ = play.after(0.2, .partial(utterance: 2, text: "another one"))
    #expect(
      play.after(0.5, .final(utterance: 2, text: "another one")) == [
        .report(.userFinal("another one")), .interrupt(reply: 1),
        .report(.thinking), .respond(reply: 2, to: "another one", isEarly: false),
        .voice(reply: 2),
      ])
    // Inputs for the old reply have no effect any more.
    #expect(play.after(0, .audioEnded(reply: 1)) == [])
    #expect(play.after(0, .replyText(reply: 1, text: "x", isInterruptible: true)) == [])
  }

  @Test(arguments: [
    ("mhm", IgnoringReason.listenerSound), ("okay, right", .listenerSound),
    ("", .nothingUnderstood), ("there was a king", .ownWords),
  ])
  func `an utterance that is not a turn resumes the reply`(text: String, reason: IgnoringReason) {
    var play = Play()
    play.converse()
    _ = play.after(1, .speechStarted(utterance: 2))
    #expect(play.passTime(upTo: 0.3) == [.hold(reply: 1), .report(.replyHeld)])
    #expect(
      play.after(0.5, .final(utterance: 2, text: text)) == [
        .report(.userIgnored(text, reason)), .report(.replyResumed(reason)), .resume(reply: 1),
      ])
    #expect(play.after(0, .speechEnded(utterance: 2)) == [])
  }

  @Test func `a cough is too short to hold the reply`() {
    var play = Play()
    play.converse()
    _ = play.after(1, .speechStarted(utterance: 2))
    #expect(
      play.after(0.2, .speechEnded(utterance: 2)) == [
        .report(.userIgnored("", .nothingUnderstood))
      ])
  }

  @Test func `a rejected utterance resumes the reply`() {
    var play = Play()
    play.converse()
    _ = play.after(1, .speechStarted(utterance: 2))
    _ = play.passTime(upTo: 0.3)
    #expect(
      play.after(0.5, .rejected(utterance: 2, text: "hello")) == [
        .report(.userIgnored("hello", .rejected)), .report(.replyResumed(.rejected)),
        .resume(reply: 1),
      ])
  }

  @Test func `an interruption requires the minimum number of words`() {
    var rules = TurnRules()
    rules.interruption.minimumWords = 2
    var play = Play(rules)
    play.converse()
    _ = play.after(1, .speechStarted(utterance: 2))
    #expect(!play.after(1, .partial(utterance: 2, text: "mhm right")).contains(.hold(reply: 1)))
    #expect(!play.after(1, .partial(utterance: 2, text: "another")).contains(.hold(reply: 1)))
    #expect(play.after(1, .partial(utterance: 2, text: "another one")).contains(.hold(reply: 1)))
  }

  @Test(arguments: [true, false])
  func `a stop word always works and is not answered`(isInterruptible: Bool) {
    var rules = TurnRules()
    rules.interruption.isAllowed = isInterruptible
    rules.interruption.minimumWords = 5
    var play = Play(rules)
    play.converse(isInterruptible: isInterruptible)
    _ = play.after(1, .speechStarted(utterance: 2))
    #expect(
      play.after(0.1, .partial(utterance: 2, text: "stop"))
        == (isInterruptible ? [.hold(reply: 1), .report(.replyHeld)] : []))
    #expect(
      play.after(0.5, .final(utterance: 2, text: "stop")) == [
        .report(.userIgnored("stop", .stopWord)), .interrupt(reply: 1),
      ])
    // Unless it is the beginning of a longer utterance.
    var other = Play(rules)
    other.converse(isInterruptible: isInterruptible)
    _ = other.after(1, .partial(utterance: 2, text: "stop"))
    var actions = other.after(0.5, .final(utterance: 2, text: "stop the timer"))
    actions += other.after(0, .speechEnded(utterance: 2))
    if !isInterruptible { actions += other.after(5, .audioEnded(reply: 1)) }
    #expect(actions.contains(.respond(reply: 2, to: "stop the timer", isEarly: false)))
    // Or is rejected in the end.
    var third = Play(rules)
    third.converse(isInterruptible: isInterruptible)
    _ = third.after(1, .partial(utterance: 2, text: "stop"))
    #expect(
      third.after(0.5, .rejected(utterance: 2, text: "stop")).contains(.resume(reply: 1))
        == isInterruptible)
  }

  @Test func `an uninterruptible passage is played to its end before the user is answered`() {
    var play = Play()
    play.converse(isInterruptible: false)
    #expect(
      play.say("another one", utterance: 2) == [
        .report(.userStarted), .report(.userPartial("another one")),
        .report(.userFinal("another one")),
      ])
    #expect(
      play.after(5, .audioEnded(reply: 1)) == [
        .conclude(reply: 1), .report(.thinking),
        .respond(reply: 2, to: "another one", isEarly: false), .voice(reply: 2),
      ])
  }

  @Test func `speech that continues before the reply is heard joins the same turn`() {
    var play = Play()
    _ = play.say("turn on the light", utterance: 1)
    // A reply that has not been heard does not begin while the user speaks.
    #expect(
      play.after(0.1, .speechStarted(utterance: 2)) == [.report(.userStarted), .hold(reply: 1)])
    #expect(
      play.after(1, .final(utterance: 2, text: "in the kitchen")) == [
        .report(.userFinal("in the kitchen")), .supersede(reply: 1), .report(.thinking),
        .respond(reply: 2, to: "turn on the light in the kitchen", isEarly: false),
        .voice(reply: 2),
      ])
  }

  @Test func `an early answer is used if the final text matches, and discarded otherwise`() {
    var rules = TurnRules()
    rules.answersEarly = true
    var play = Play(rules)
    _ = play.after(1, .speechStarted(utterance: 1))
    _ = play.after(1, .partial(utterance: 1, text: "turn on"))
    #expect(
      play.after(0.3, .speechPaused(utterance: 1, since: play.time)) == [
        .respond(reply: 1, to: "turn on", isEarly: true)
      ])
    #expect(play.after(0.2, .speechResumed(utterance: 1)) == [.discard(reply: 1)])
    _ = play.after(1, .partial(utterance: 1, text: "turn on the light"))
    #expect(
      play.after(0.3, .speechPaused(utterance: 1, since: play.time)) == [
        .respond(reply: 2, to: "turn on the light", isEarly: true)
      ])
    #expect(
      play.after(0.5, .final(utterance: 1, text: "Turn on the light.")) == [
        .report(.userFinal("Turn on the light.")), .report(.thinking), .voice(reply: 2),
      ])
    // The final text is missing, so that the early answer is discarded.
    _ = play.after(0, .speechEnded(utterance: 1))
    _ = play.after(0, .interrupt)
    _ = play.after(1, .speechStarted(utterance: 2))
    _ = play.after(1, .partial(utterance: 2, text: "hello"))
    _ = play.after(0.3, .speechPaused(utterance: 2, since: play.time))
    #expect(play.after(0.5, .speechEnded(utterance: 2)).contains(.discard(reply: 3)))
  }

  @Test func `the loop sleeps until the wake word, and again after the window`() {
    var rules = TurnRules()
    rules.attention = .wakeWord(["computer", "hey robot"], window: .seconds(8))
    var play = Play(rules)
    #expect(play.say("hello", utterance: 1) == [.report(.userIgnored("hello", .notAddressed))])
    #expect(
      play.say("hey robot", utterance: 2) == [
        .report(.awake("hey robot")), .report(.userPartial("")), .mute(true), .playEarcon,
      ])
    _ = play.after(0.2, .earconEnded)
    #expect(play.passTime(upTo: 1) == [.mute(false), .report(.listening)])
    #expect(
      play.say("lights on", utterance: 3).contains(
        .respond(reply: 1, to: "lights on", isEarly: false)))
    _ = play.after(0, .replyComplete(reply: 1))
    #expect(play.passTime(upTo: 8) == [.report(.asleep)])
    #expect(play.say("hello", utterance: 4) == [.report(.userIgnored("hello", .notAddressed))])
    // Wake word and command without a pause: no earcon overlaps the command.
    let actions = play.say("Computer, lights on", utterance: 5)
    #expect(actions.contains(.respond(reply: 2, to: "lights on", isEarly: false)))
    #expect(!actions.contains(.playEarcon))
  }

  @Test
  func
    `the earcon follows a wake word only if no command does`()
  {
    var rules = TurnRules()
    rules.attention = .wakeWord(["computer"], window: .seconds(8))
    var play = Play(rules)
    func spot(_ number: Int) -> [TurnAction] {
      _ = play.after(1, .speechStarted(utterance: number))
      let now = play.time
      _ = play.after(0, .speechStopped(utterance: number, lastVoice: now))
      let actions = play.after(0, .final(utterance: number, text: "computer"))
      return actions + play.after(0, .speechEnded(utterance: number))
    }
    #expect(spot(1) == [.report(.awake("computer"))])
    #expect(play.passTime(upTo: 1) == [.mute(true), .playEarcon])
    _ = play.after(0.2, .earconEnded)
    #expect(play.passTime(upTo: 1) == [.mute(false), .report(.listening)])
    #expect(play.passTime(upTo: 10) == [.report(.asleep)])

    // The command starts at once, and takes longer than the delay of the earcon.
    #expect(spot(2) == [.report(.awake("computer"))])
    #expect(play.after(0, .speechStarted(utterance: 3)) == [.report(.userStarted)])
    #expect(play.passTime(upTo: 2).isEmpty)
    #expect(
      play.after(0, .final(utterance: 3, text: "lights on")).contains(
        .respond(reply: 1, to: "lights on", isEarly: false)))
    _ = play.after(0, .speechEnded(utterance: 3))
    _ = play.after(0, .replyComplete(reply: 1))
    #expect(play.passTime(upTo: 10) == [.report(.asleep)])

    // Only a breath follows: the earcon shows that the loop is listening.
    _ = spot(4)
    _ = play.after(0, .speechStarted(utterance: 5))
    #expect(
      play.after(1, .rejected(utterance: 5, text: "")).suffix(2) == [.mute(true), .playEarcon])
  }

  @Test func `pressing the key lets the user speak, and releasing it ends the turn`() {
    var rules = TurnRules()
    rules.attention = .pushToTalk
    var play = Play(rules)
    #expect(play.say("hello", utterance: 1) == [.report(.userIgnored("hello", .notAddressed))])
    #expect(play.after(1, .keyPressed) == [.report(.listening)])
    #expect(play.after(1, .speechStarted(utterance: 2)) == [.report(.userStarted)])
    #expect(play.after(1, .keyReleased) == [.endUtterance, .report(.asleep)])
    #expect(
      play.after(0.1, .final(utterance: 2, text: "hello")).contains(
        .respond(reply: 1, to: "hello", isEarly: false)))
    _ = play.after(0, .speechEnded(utterance: 2))
    _ = play.after(0, .audioStarted(reply: 1, isInterruptible: true))
    #expect(
      play.after(1, .keyPressed) == [
        .interrupt(reply: 1), .report(.listening),
      ])
  }

  @Test func `half duplex is muted while it speaks and until the echo has ended`() {
    var rules = TurnRules()
    rules.isHalfDuplex = true
    var play = Play(rules)
    _ = play.say("hello", utterance: 1)
    #expect(play.after(0.1, .audioStarted(reply: 1, isInterruptible: true)) == [.mute(true)])
    _ = play.after(0, .replyText(reply: 1, text: "Hi.", isInterruptible: true))
    _ = play.after(0, .replyComplete(reply: 1))
    #expect(!play.after(1, .audioEnded(reply: 1)).contains(.mute(false)))
    let end = play.time
    #expect(play.passTime(upTo: 1) == [.mute(false), .report(.listening)])
    #expect(play.time == end + rules.echoTail)
  }

  @Test func `in half duplex, a user who started first can finish`() {
    var rules = TurnRules()
    rules.isHalfDuplex = true
    var play = Play(rules)
    _ = play.say("hello", utterance: 1)
    #expect(play.after(0.1, .speechStarted(utterance: 2)).contains(.hold(reply: 1)))
    #expect(play.after(0.1, .audioStarted(reply: 1, isInterruptible: true)) == [])
    #expect(
      play.after(1, .speechEnded(utterance: 2)) == [
        .report(.userIgnored("", .nothingUnderstood)),
        .report(.replyResumed(.nothingUnderstood)), .mute(true), .resume(reply: 1),
      ])
  }

  @Test func `a turn that exceeds the maximum length is ended`() {
    var rules = TurnRules()
    rules.maximumTurn = .seconds(10)
    var play = Play(rules)
    _ = play.after(1, .speechStarted(utterance: 1))
    #expect(play.passTime(upTo: 10) == [.endUtterance])
    #expect(play.machine.deadline == nil)
  }

  @Test func `a slow reply gets a filler, and a missing one times out`() {
    var play = Play()
    _ = play.say("hello", utterance: 1)
    #expect(play.passTime(upTo: 4) == [.fill(reply: 1, text: "One moment.")])
    _ = play.after(0, .audioStarted(reply: 1, isInterruptible: true))
    #expect(play.after(1, .audioEnded(reply: 1)) == [])
    #expect(
      play.passTime(upTo: 30) == [
        .stopWaiting(reply: 1), .report(.replyFailed("There was no answer in time.")),
        .fill(reply: 1, text: "Sorry, that did not work."),
      ])
    _ = play.after(0, .audioStarted(reply: 1, isInterruptible: true))
    #expect(play.after(1, .audioEnded(reply: 1)).contains(.conclude(reply: 1)))
  }

  @Test func `a reply that breaks off is spoken as far as it was received`() {
    var play = Play()
    play.converse()
    var other = Play()
    _ = other.say("hello", utterance: 1)
    _ = other.after(0, .replyText(reply: 1, text: "Well,", isInterruptible: true))
    #expect(
      other.after(1, .replyFailed(reply: 1, reason: "reset")) == [.report(.replyFailed("reset"))])
    _ = other.after(0, .audioStarted(reply: 1, isInterruptible: true))
    #expect(other.after(1, .audioEnded(reply: 1)).contains(.conclude(reply: 1)))
  }

  @Test func `silence prompts the user, who eventually counts as away`() {
    var rules = TurnRules()
    rules.prompt = .init(after: .seconds(10), texts: ["Are you there?", "Hello?"])
    rules.awayAfter = .seconds(45)
    var play = Play(rules)
    #expect(
      play.passTime(upTo: 10) == [
        .report(.prompted(1)), .say(reply: 1, text: "Are you there?"),
      ])
    _ = play.after(0, .audioStarted(reply: 1, isInterruptible: true))
    _ = play.after(1, .audioEnded(reply: 1))
    #expect(play.passTime(upTo: 10) == [.report(.prompted(2)), .say(reply: 2, text: "Hello?")])
    _ = play.after(0, .audioStarted(reply: 2, isInterruptible: true))
    _ = play.after(1, .audioEnded(reply: 2))
    #expect(play.passTime() == [.report(.away)])
    #expect(play.time == .seconds(45))
    #expect(play.passTime() == [])
    // After the user has returned, the prompts start from the first one.
    _ = play.say("hello", utterance: 1)
    _ = play.after(0, .replyComplete(reply: 3))
    #expect(play.passTime(upTo: 10).first == .report(.prompted(1)))
  }

  @Test func `the loop's own words are an echo shortly after it spoke, but not later`() {
    var rules = TurnRules()
    rules.attention = .wakeWord(["computer"], window: .seconds(8))
    rules.hasEarcon = false
    var play = Play(rules)
    let command = "computer turn on the kitchen light"
    _ = play.say(command, utterance: 1)
    _ = play.after(
      0, .replyText(reply: 1, text: "I turn on the kitchen light.", isInterruptible: true))
    _ = play.after(0, .audioStarted(reply: 1, isInterruptible: true))
    _ = play.after(0, .replyComplete(reply: 1))
    _ = play.after(2, .audioEnded(reply: 1))
    #expect(
      play.say("turn on the kitchen light", utterance: 2).contains(
        .report(.userIgnored("turn on the kitchen light", .ownWords))))
    _ = play.after(300, .timePassed)
    #expect(
      play.say(command, utterance: 3).contains(
        .respond(reply: 2, to: "turn on the kitchen light", isEarly: false)))
  }

  @Test func `the wake word alone ends the held reply`() {
    var rules = TurnRules()
    rules.attention = .wakeWord(["computer"], window: .seconds(8))
    rules.hasEarcon = false
    var play = Play(rules)
    _ = play.say("computer tell me a story", utterance: 1)
    _ = play.after(0, .replyText(reply: 1, text: "Once upon a time.", isInterruptible: true))
    _ = play.after(0, .audioStarted(reply: 1, isInterruptible: true))
    #expect(play.say("computer", utterance: 2).contains(.interrupt(reply: 1)))
  }

  @Test func `audio that starts while the reply is held does not mute the microphone`() {
    var rules = TurnRules()
    rules.isHalfDuplex = true
    var play = Play(rules)
    _ = play.say("hello", utterance: 1)
    #expect(play.after(0.1, .speechStarted(utterance: 2)).contains(.hold(reply: 1)))
    #expect(play.after(0.1, .audioStarted(reply: 1, isInterruptible: true)) == [])
    #expect(play.after(1, .speechEnded(utterance: 2)).suffix(1) == [.resume(reply: 1)])
  }

  @Test func `a reply that consists of a filler only ends at its timeout`() {
    var rules = TurnRules()
    rules.failureText = ""
    var play = Play(rules)
    _ = play.say("hello", utterance: 1)
    _ = play.after(0, .replyText(reply: 1, text: "", isInterruptible: true))
    #expect(play.passTime(upTo: 4) == [.fill(reply: 1, text: "One moment.")])
    _ = play.after(0, .audioStarted(reply: 1, isInterruptible: true))
    _ = play.after(1, .audioEnded(reply: 1))
    #expect(play.passTime(upTo: 30).contains(.conclude(reply: 1)))
  }

  @Test func `speech while the loop is closed is reported but not answered`() {
    var play = Play()
    play.converse()
    _ = play.after(1, .speechStarted(utterance: 2))
    #expect(play.after(0, .closed) == [.interrupt(reply: 1)])
    #expect(
      play.after(1, .final(utterance: 2, text: "more")) == [.report(.userFinal("more"))])
    #expect(play.machine.deadline == nil)
    _ = play.after(0, .speechEnded(utterance: 2))
    #expect(play.after(0, .say("Hello.")) == [])
    #expect(play.after(1, .opened) == [.report(.listening)])
    #expect(
      play.say("again", utterance: 3).contains(.respond(reply: 2, to: "again", isEarly: false)))
  }

  @Test func `an interrupt call does not cancel the answer to a waiting turn`() {
    var play = Play()
    play.converse(isInterruptible: false)
    _ = play.say("and then", utterance: 2)
    #expect(
      play.after(0, .interrupt) == [
        .interrupt(reply: 1), .report(.thinking),
        .respond(reply: 2, to: "and then", isEarly: false), .voice(reply: 2),
      ])
  }

  @Test(arguments: [(0.2, true), (0.5, false)])
  func `speech detected shortly after the key is released still counts`(
    seconds: Double, isHeard: Bool
  ) {
    var rules = TurnRules()
    rules.attention = .pushToTalk
    var play = Play(rules)
    _ = play.after(1, .keyPressed)
    _ = play.after(0.2, .keyReleased)
    let actions = play.after(seconds, .speechStarted(utterance: 1))
    #expect(actions == (isHeard ? [.report(.userStarted), .endUtterance] : []))
    let final = play.after(0.1, .final(utterance: 1, text: "stop it"))
    #expect(final.contains(.report(.userFinal("stop it"))) == isHeard)
  }
}

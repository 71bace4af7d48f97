import SpeechConversation
import TestSupport
import Testing

/// Random inputs in any order, to which the actions of the machine are always consistent.
struct TurnMachinePropertyTests {
  /// The state of the world that results from the machine's actions.
  private struct World {
    var reply: Int?
    var isVoiced = false
    var isHeld = false
    var isMuted = false
    var lastReply = 0
    var isSpeaking = false

    mutating func take(_ action: TurnAction) -> String? {
      switch action {
      case .respond(let number, let text, _):
        guard reply == nil, number > lastReply, !text.isEmpty else { return "respond" }
        (reply, lastReply, isVoiced, isHeld) = (number, number, false, false)
      case .say(let number, _):
        guard reply == nil, number > lastReply else { return "say" }
        (reply, lastReply, isVoiced, isHeld) = (number, number, true, false)
      case .voice(let number):
        guard reply == number, !isVoiced else { return "voice" }
        isVoiced = true
      case .fill(let number, _), .stopWaiting(let number):
        guard reply == number else { return "fill" }
      case .hold(let number):
        guard reply == number, !isHeld else { return "hold" }
        isHeld = true
      case .resume(let number):
        guard reply == number, isHeld else { return "goOn" }
        isHeld = false
      case .discard(let number), .supersede(let number), .interrupt(let number),
        .conclude(let number):
        guard reply == number else { return "end" }
        reply = nil
      case .mute(let muted):
        guard muted != isMuted else { return "mute" }
        isMuted = muted
      case .endUtterance, .playEarcon, .report: break
      }
      return nil
    }
  }

  private static func rules(_ numbers: inout SplitMix) -> TurnRules {
    var rules = TurnRules()
    rules.attention =
      [
        .always, .wakeWord(["computer"], window: .seconds(5)), .pushToTalk,
      ].randomElement(using: &numbers) ?? .always
    rules.isHalfDuplex = .random(using: &numbers)
    rules.answersEarly = .random(using: &numbers)
    rules.interruption.isAllowed = .random(using: &numbers)
    rules.interruption.minimumWords = .random(in: 0...2, using: &numbers)
    if .random(using: &numbers) { rules.prompt = .init(after: .seconds(3), texts: ["a", "b"]) }
    if .random(using: &numbers) { rules.awayAfter = .seconds(9) }
    return rules
  }

  private static func input(_ numbers: inout SplitMix, reply: Int) -> TurnInput {
    let utterance = Int.random(in: 1...40, using: &numbers)
    let number = max(1, reply - Int.random(in: 0...1, using: &numbers))
    let text =
      ["", "stop", "mhm", "hello you", "computer", "computer lights on", "well now then"]
      .randomElement(using: &numbers) ?? ""
    return switch Int.random(in: 0..<20, using: &numbers) {
    case 0: Int.random(in: 0..<4, using: &numbers) == 0 ? .closed : .opened
    case 1, 2: .speechStarted(utterance: utterance)
    case 3, 4: .partial(utterance: utterance, text: text)
    case 5: .speechPaused(utterance: utterance, since: .zero)
    case 6: .speechResumed(utterance: utterance)
    case 7: .speechStopped(utterance: utterance, lastVoice: .zero)
    case 8, 9: .final(utterance: utterance, text: text)
    case 10: .rejected(utterance: utterance, text: text)
    case 11: .speechEnded(utterance: utterance)
    case 12: .wakeWord("computer")
    case 13: .random(using: &numbers) ? .keyPressed : .keyReleased
    case 14: .random(using: &numbers) ? .say(text) : .interrupt
    case 15: .replyText(reply: number, text: text, isInterruptible: .random(using: &numbers))
    case 16:
      .random(using: &numbers)
        ? .replyComplete(reply: number) : .replyFailed(reply: number, reason: "x")
    case 17: .audioStarted(reply: number, isInterruptible: .random(using: &numbers))
    case 18: .audioEnded(reply: number)
    default: .random(using: &numbers) ? .timePassed : .earconEnded
    }
  }

  @Test func `random conversations keep the invariants`() {
    for seed in 0..<UInt64(Endurance.count(full: 3_000, short: 500)) {
      var numbers = SplitMix(seed: seed)
      var machine = TurnMachine(rules: Self.rules(&numbers))
      var world = World()
      var time = Duration.zero
      var history: [String] = []
      for _ in 0..<60 {
        let input = Self.input(&numbers, reply: world.lastReply)
        time += .milliseconds(Int.random(in: 0...1_500, using: &numbers))
        history.append("\(time) \(input)")
        for action in machine.handle(input, at: time) {
          history.append("   \(action)")
          if let fault = world.take(action) {
            Issue.record("seed \(seed): \(fault)\n\(history.joined(separator: "\n"))")
            return
          }
        }
        if let deadline = machine.deadline, deadline <= time {
          Issue.record("seed \(seed): a deadline in the past\n\(history.joined(separator: "\n"))")
          return
        }
      }
    }
  }
}

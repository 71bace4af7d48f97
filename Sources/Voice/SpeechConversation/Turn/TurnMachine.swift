import Foundation
import SpeechCore

/// Who has the floor, as a value: what happens goes in, what is to be done comes out.
///
/// It knows nothing of sound, tasks or clocks: whoever owns it tells it what happens and at what time, does
/// what it asks for, and calls again at `deadline`. So every rule can be tried in a line:
///
/// ```swift
/// var machine = TurnMachine(rules: TurnRules())
/// _ = machine.handle(.opened, at: .zero)
/// let result = SpeechRecognitionResult(text: "hello", isFinal: true)
/// let actions = machine.handle(
///   .heard(.result(result), listeningSince: .zero), at: .seconds(2))
/// // thinking, respond to "hello", voice the reply
/// ```
package struct TurnMachine: Sendable, Equatable {
  enum Attention: Sendable, Equatable {
    case asleep
    case awake
  }

  /// Something that the user says.
  struct Utterance: Sendable, Equatable {
    var id: UUID
    var started: Duration
    var partial = ""
    var isPaused = false
    /// Whether it was begun when we were listening for it.
    var isAddressed: Bool
    var isBeingEnded = false
    /// Whether it has been told what came of it.
    var isSettled = false
    /// When the last voice in it was heard, once that is known.
    var lastVoice: Duration?
  }

  /// Something that we say.
  struct Reply: Sendable, Equatable {
    /// The progress of a reply towards the user's ear.
    enum Stage: Sendable, Equatable {
      /// It answers a guess at what the user is about to say, and may be discarded unheard.
      case early
      /// It is wanted, and nothing of it has been heard.
      case unheard
      /// It is being heard.
      case sounding
      /// A part of it has been heard, and its voice waits for more text.
      case quiet
    }

    var number: Int
    /// What it answers; `nil` for what we say of our own accord.
    var question: String?
    var asked: Duration
    var stage: Stage
    var hasText = false
    var isComplete = false
    var isFilled = false
    /// What is said of our own accord within it, as far as it has not been heard.
    var announcement = ""
    var isHeld = false
    var isInterruptible = true

    var isEarly: Bool { stage == .early }
    var isSounding: Bool { stage == .sounding }
    var hasSounded: Bool { stage == .sounding || stage == .quiet }
  }

  /// The rules it goes by.
  package let rules: TurnRules

  var isOpen = false
  var attention = Attention.awake
  var isKeyDown = false
  /// When the key went up before anybody was noticed to speak.
  var keyReleased: Duration?
  var utterance: Utterance?
  var reply: Reply?
  /// What was said while the reply could not be interrupted, and is answered behind it.
  var unanswered: String?
  var ownWords = OwnWords()
  /// The last utterances that are over or were muted; what else arrives of them is ignored.
  var forgotten: [UUID] = []
  var isMuted = false
  var unmuteTime: Duration?
  /// When the earcon is played, if nobody goes on speaking until then.
  var earconTime: Duration?
  /// Since when nobody has said anything, and since when the user has not.
  var quietSince = Duration.zero
  /// When our own voice was heard last.
  var ownVoiceEnd: Duration?
  var userQuietSince = Duration.zero
  var promptsSaid = 0
  var isAway = false
  private var lastReply = 0
  /// The time of what is being handled.
  private(set) var time = Duration.zero

  /// A machine for a conversation that has not begun.
  package init(rules: TurnRules) {
    self.rules = rules
    attention = rules.attention == .always ? .awake : .asleep
  }

  /// Takes what happened at that time and tells what is to be done, in this order. What makes no sense at
  /// the moment changes nothing.
  package mutating func handle(_ input: TurnInput, at now: Duration) -> [TurnAction] {
    time = max(time, now)
    var actions: [TurnAction] = []
    take(input, &actions)
    passTime(&actions)
    return actions
  }

  /// When `.timePassed` has to be told at the latest.
  package var deadline: Duration? { dueTimes.map(\.time).min() }

  mutating func makeReply(to question: String?, isEarly: Bool = false) -> Reply {
    lastReply += 1
    return Reply(
      number: lastReply, question: question, asked: time, stage: isEarly ? .early : .unheard)
  }

  private mutating func take(_ input: TurnInput, _ actions: inout [TurnAction]) {
    switch input {
    case .opened: open(&actions)
    case .closed: close(&actions)
    case .heard(let event, let origin): take(event, listeningSince: origin, &actions)
    case .listeningEnded:
      if let utterance { end(utterance.id, &actions) }
    case .wakeWord(let phrase): wake(phrase, &actions)
    case .keyPressed: pressKey(&actions)
    case .keyReleased: releaseKey(&actions)
    case .say(let text): say(text, &actions)
    case .interrupt: interrupt(&actions)
    case .replyText(let number, let text, let isInterruptible):
      take(text, of: number, isInterruptible, &actions)
    case .replyComplete(let number): complete(number, &actions)
    case .replyFailed(let number, let reason): fail(number, reason, &actions)
    case .audioStarted(let number, let isInterruptible):
      sound(number, isInterruptible, &actions)
    case .audioEnded(let number): silence(number, &actions)
    case .earconEnded:
      if !(rules.isHalfDuplex && reply?.isSounding == true) {
        unmuteTime = time + rules.echoTail
      }
    case .timePassed: break
    }
  }

  private mutating func close(_ actions: inout [TurnAction]) {
    guard isOpen else { return }
    unanswered = nil
    endReply(&actions)
    isOpen = false
    unmuteTime = nil
    earconTime = nil
    if isMuted {
      isMuted = false
      actions.append(.mute(false))
    }
  }

  private mutating func open(_ actions: inout [TurnAction]) {
    guard !isOpen else { return }
    isOpen = true
    quietSince = time
    userQuietSince = time
    actions.append(.report(attention == .awake ? .listening : .asleep))
  }
}

import Foundation
import SpeechCore

/// The rules of turn-taking as a value: inputs go in, actions come out.
///
/// The machine knows nothing of audio, tasks or clocks. Its owner feeds it inputs with their times,
/// performs the actions, and calls again at `deadline`. Every rule can therefore be tested in a
/// line:
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

  struct Utterance: Sendable, Equatable {
    var id: UUID
    var started: Duration
    var partial = ""
    /// True if the utterance began while the loop listened for commands.
    var isAddressed: Bool
    var isBeingEnded = false
    /// True once the outcome of the utterance has been reported.
    var isSettled = false
    /// The time of the last voice in the utterance, once known.
    var lastVoice: Duration?
  }

  struct Reply: Sendable, Equatable {
    /// The progress of a reply towards the user's ear.
    enum Stage: Sendable, Equatable {
      /// It answers a guess at the user's words and may be discarded unheard.
      case early
      /// It is wanted, and nothing of it has been heard.
      case unheard
      /// It is being heard.
      case sounding
      /// A part of it has been heard, and the voice waits for more text.
      case quiet
    }

    var number: Int
    /// The words that it answers; `nil` for text of the app's own.
    var question: String?
    var asked: Duration
    var stage: Stage
    var hasText = false
    var isComplete = false
    var isFilled = false
    /// Text of the app's own within the reply, as far as it has not been heard.
    var announcement = ""
    var isHeld = false
    var isInterruptible = true

    var isEarly: Bool { stage == .early }
    var isSounding: Bool { stage == .sounding }
    var hasSounded: Bool { stage == .sounding || stage == .quiet }
  }

  package let rules: TurnRules

  var isOpen = false
  var attention = Attention.awake
  var isKeyDown = false
  /// The time at which the key was released before any speech was detected.
  var keyReleased: Duration?
  var utterance: Utterance?
  var reply: Reply?
  /// The words of a turn that is answered after a reply that cannot be interrupted.
  var unanswered: String?
  var ownWords = OwnWords()
  /// The most recent utterances that are over or were muted. Later events about them are ignored.
  var forgotten: [UUID] = []
  var isMuted = false
  var unmuteTime: Duration?
  /// The time at which the earcon is played, unless the user continues to speak.
  var earconTime: Duration?
  /// The time since which neither side has spoken. `userQuietSince` is the same for the user alone.
  var quietSince = Duration.zero
  /// The time at which the loop's own voice was heard last.
  var ownVoiceEnd: Duration?
  var userQuietSince = Duration.zero
  var promptsSaid = 0
  var isAway = false
  private var lastReply = 0
  /// The actions that the present input has caused so far.
  var actions: [TurnAction] = []
  /// The time of the present input.
  private(set) var time = Duration.zero

  package init(rules: TurnRules) {
    self.rules = rules
    attention = rules.attention == .always ? .awake : .asleep
  }

  /// Handles an input and returns the actions to perform, in order. An input that makes no sense in
  /// the present state changes nothing.
  package mutating func handle(_ input: TurnInput, at now: Duration) -> [TurnAction] {
    time = max(time, now)
    take(input)
    passTime()
    defer { actions = [] }
    return actions
  }

  /// The time at which `.timePassed` is due at the latest.
  package var deadline: Duration? { dueTimes.map(\.time).min() }

  mutating func makeReply(to question: String?, isEarly: Bool = false) -> Reply {
    lastReply += 1
    return Reply(
      number: lastReply, question: question, asked: time, stage: isEarly ? .early : .unheard)
  }

  private mutating func take(_ input: TurnInput) {
    switch input {
    case .opened: open()
    case .closed: close()
    case .heard(let event, let origin): take(event, listeningSince: origin)
    case .listeningEnded:
      if let utterance { end(utterance.id) }
    case .wakeWord(let phrase): wake(phrase)
    case .keyPressed: pressKey()
    case .keyReleased: releaseKey()
    case .say(let text): say(text)
    case .interrupt: interrupt()
    case .replyText(let number, let text, let isInterruptible):
      take(text, of: number, isInterruptible)
    case .replyComplete(let number): complete(number)
    case .replyFailed(let number, let reason): fail(number, reason)
    case .audioStarted(let number, let isInterruptible): sound(number, isInterruptible)
    case .audioEnded(let number): silence(number)
    case .earconEnded:
      if !(rules.isHalfDuplex && reply?.isSounding == true) {
        unmuteTime = time + rules.echoTail
      }
    case .timePassed: break
    }
  }

  private mutating func close() {
    guard isOpen else { return }
    unanswered = nil
    endReply()
    isOpen = false
    unmuteTime = nil
    earconTime = nil
    if isMuted {
      isMuted = false
      actions.append(.mute(false))
    }
  }

  private mutating func open() {
    guard !isOpen else { return }
    isOpen = true
    quietSince = time
    userQuietSince = time
    actions.append(.report(attention == .awake ? .listening : .asleep))
  }
}

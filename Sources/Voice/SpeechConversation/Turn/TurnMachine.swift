/// Who has the floor, as a value: what happens goes in, what is to be done comes out.
///
/// It knows nothing of sound, tasks or clocks: whoever owns it tells it what happens and at what time, does
/// what it asks for, and calls again at `deadline`. So every rule can be tried in a line:
///
/// ```swift
/// var machine = TurnMachine(rules: TurnRules())
/// _ = machine.handle(.opened, at: .zero)
/// _ = machine.handle(.speechStarted(utterance: 1), at: .seconds(1))
/// let actions = machine.handle(.final(utterance: 1, text: "hello"), at: .seconds(2))
/// // thinking, respond to "hello", voice the reply
/// ```
public struct TurnMachine: Sendable, Equatable {
  enum Attention: Sendable, Equatable {
    case asleep
    case awake
  }

  /// Something that the user says.
  struct Utterance: Sendable, Equatable {
    var number: Int
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
    var number: Int
    /// What it answers; `nil` for what we say of our own accord.
    var question: String?
    var asked: Duration
    var isEarly = false
    var hasText = false
    var isComplete = false
    var isFilled = false
    /// What is said of our own accord within it, as far as it has not been heard.
    var announcement = ""
    var hasSounded = false
    var isSounding = false
    var isHeld = false
    var isInterruptible = true
  }

  /// The rules it goes by.
  public let rules: TurnRules

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
  /// Utterances up to this one are not listened to any more.
  var lastForgotten = Int.min
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
  public init(rules: TurnRules) {
    self.rules = rules
    attention = rules.attention == .always ? .awake : .asleep
  }

  /// Takes what happened at that time and tells what is to be done, in this order. What makes no sense at
  /// the moment changes nothing.
  public mutating func handle(_ input: TurnInput, at now: Duration) -> [TurnAction] {
    time = max(time, now)
    var actions: [TurnAction] = []
    take(input, &actions)
    passTime(&actions)
    return actions
  }

  /// When `.timePassed` has to be told at the latest.
  public var deadline: Duration? { dueTimes.map(\.time).min() }

  mutating func makeReply(to question: String?, isEarly: Bool = false) -> Reply {
    lastReply += 1
    return Reply(number: lastReply, question: question, asked: time, isEarly: isEarly)
  }

  private mutating func take(_ input: TurnInput, _ actions: inout [TurnAction]) {
    switch input {
    case .opened: open(&actions)
    case .closed: close(&actions)
    case .speechStarted(let number): begin(number, &actions)
    case .partial(let number, let text): hear(partial: text, of: number, &actions)
    case .speechPaused(let number, _): pause(number, &actions)
    case .speechResumed(let number): goOn(number, &actions)
    case .final(let number, let text): hear(final: text, of: number, &actions)
    case .rejected(let number, let text): ignore(text, of: number, .rejected, &actions)
    case .speechEnded(let number): end(number, &actions)
    case .wakeWord(let phrase): wake(phrase, &actions)
    case .keyPressed: pressKey(&actions)
    case .keyReleased: releaseKey(&actions)
    case .say(let text): say(text, &actions)
    case .interrupt: interrupt(&actions)
    case .replyText(let number, let text, let isInterruptible):
      take(text, of: number, isInterruptible, &actions)
    case .replyComplete(let number): complete(number, &actions)
    case .replyFailed(let number, let reason): fail(number, reason, &actions)
    case .soundStarted(let number, let isInterruptible):
      sound(number, isInterruptible, &actions)
    case .soundEnded(let number): silence(number, &actions)
    case .earconEnded:
      if !(rules.isHalfDuplex && reply?.isSounding == true) {
        unmuteTime = time + rules.echoTail
      }
    case .speechStopped(let number, let lastVoice):
      if utterance?.number == number { utterance?.lastVoice = lastVoice }
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
    actions.append(.tell(attention == .awake ? .listening : .asleep))
  }
}

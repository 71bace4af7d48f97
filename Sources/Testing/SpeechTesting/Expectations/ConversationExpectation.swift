import SpeechText

/// An expectation about a conversation.
///
/// ```swift
/// let record = try await VirtualConversation.play(script) { devices in … }
/// try record.check([
///   .heard("turn on the kitchen light", within: .seconds(2)),
///   .intent("switch_light", ["room": "kitchen"]),
///   .said("The kitchen light is on."),
/// ])
/// ```
/// Expectations are met in order: each by an event that is not before the one that met the
/// expectation before it. Negative expectations and time budgets concern the whole conversation.
public struct ConversationExpectation: Sendable, Hashable {
  /// The events that can be expected.
  public enum Event: Sendable, Hashable {
    /// The user is understood with these words, up to a word error rate.
    case heard(String, wordErrorRate: Double)
    /// The user is understood with this intent, and with at least these slots and their codes.
    case intent(String, slots: [String: String])
    /// The reply, or a sentence of it, is heard to its end, up to a word error rate.
    case said(String, wordErrorRate: Double)
    /// Speech is heard and not answered, for the given reason if there is one.
    case ignored(String?, IgnoringReason?)
    /// The user ends a reply, after the given part was heard if there is one.
    case interrupted(after: String?)
    /// A reply that was held continues.
    case resumed
    /// The responder fails.
    case replyFailed
    /// The voice fails within a reply.
    case voiceFailed
    /// The wake word is heard.
    case awake
    /// The loop waits for the wake word.
    case asleep
    /// The recogniser or the microphone fails.
    case recognitionLost
    /// The recogniser or the microphone works again.
    case recognitionReturned
    /// A silent user is prompted.
    case prompted
    /// The user is assumed to be gone.
    case away
  }

  /// An entry of the history that can be expected.
  public struct HistoryEntry: Sendable, Hashable {
    /// The side that spoke.
    public var speaker: ConversationHistory.Speaker
    /// The user's words, or the part of the reply that was heard.
    public var text: String
    /// The part of the reply that was not heard; `nil` for any.
    public var unheard: String?

    /// Creates an entry.
    public init(_ speaker: ConversationHistory.Speaker, _ text: String, unheard: String? = nil) {
      self.speaker = speaker
      self.text = text
      self.unheard = unheard
    }
  }

  /// A stage of a turn that has a time budget.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// From the user's last voice to the decision that the turn is over.
    case endOfTurn = "end of turn"
    /// From the end of the turn to the final text.
    case finalText = "final text"
    /// From the final text to the first piece of the reply.
    case firstToken = "first token"
    /// From the first piece of the reply to its first sample.
    case firstSound = "first sound"
    /// From the user's last voice to the first sample of the reply.
    case total
    /// From noticing a voice over a reply to holding the reply.
    case interruption
  }

  /// The kinds of expectations.
  public enum Kind: Sendable, Hashable {
    /// The event happens within the given time after the last word that was spoken before it.
    case happens(Event, within: Duration?)
    /// The event never happens.
    case neverHappens(Event)
    /// Nothing is heard, and nothing is answered.
    case nothingHeard
    /// The loop says nothing.
    case nothingSaid
    /// The history has exactly these entries at the end.
    case history([HistoryEntry])
    /// The stage never takes longer.
    case budget(Stage, Duration)
  }

  /// The kind of the expectation, with its details.
  public var kind: Kind

  /// Creates an expectation of the given kind.
  public init(_ kind: Kind) { self.kind = kind }

  /// Expects that the user is understood.
  ///
  /// - Parameter wordErrorRate: The highest accepted word error rate.
  public static func heard(
    _ words: String, wordErrorRate: Double = 0, within limit: Duration? = nil
  ) -> ConversationExpectation {
    ConversationExpectation(.happens(.heard(words, wordErrorRate: wordErrorRate), within: limit))
  }

  /// Expects that the user is understood with an intent.
  public static func intent(
    _ name: String, _ slots: [String: String] = [:], within limit: Duration? = nil
  ) -> ConversationExpectation {
    ConversationExpectation(.happens(.intent(name, slots: slots), within: limit))
  }

  /// Expects that the loop says these words to their end.
  public static func said(
    _ words: String, wordErrorRate: Double = 0, within limit: Duration? = nil
  ) -> ConversationExpectation {
    ConversationExpectation(.happens(.said(words, wordErrorRate: wordErrorRate), within: limit))
  }

  /// Expects that the user interrupts a reply.
  public static func interrupted(after heard: String? = nil) -> ConversationExpectation {
    ConversationExpectation(.happens(.interrupted(after: heard), within: nil))
  }

  /// Expects that a reply that was held continues.
  public static let resumed = ConversationExpectation(.happens(.resumed, within: nil))

  /// Expects an event.
  public static func happens(_ event: Event, within limit: Duration? = nil)
    -> ConversationExpectation
  {
    ConversationExpectation(.happens(event, within: limit))
  }

  /// Expects that an event never happens.
  public static func never(_ event: Event) -> ConversationExpectation {
    ConversationExpectation(.neverHappens(event))
  }

  /// Expects that nothing is heard at all.
  public static let nothingHeard = ConversationExpectation(.nothingHeard)
  /// Expects that the loop says nothing at all.
  public static let nothingSaid = ConversationExpectation(.nothingSaid)

  /// Expects that the history has exactly these entries at the end.
  public static func history(_ entries: [HistoryEntry]) -> ConversationExpectation {
    ConversationExpectation(.history(entries))
  }

  /// Expects that a stage never takes longer.
  public static func budget(_ stage: Stage, _ limit: Duration) -> ConversationExpectation {
    ConversationExpectation(.budget(stage, limit))
  }
}

extension ConversationExpectation: CustomStringConvertible {
  /// The expectation as in a scenario: `heard "turn on the light" within 2 s`.
  public var description: String {
    switch kind {
    case .happens(let event, let limit):
      event.description + (limit.map { " within \($0.text)" } ?? "")
    case .neverHappens(let event): "no \(event)"
    case .nothingHeard: "nothing heard"
    case .nothingSaid: "nothing said"
    case .history(let entries):
      (["history"] + entries.map(\.description)).joined(separator: " ")
    case .budget(let stage, let limit): "\(stage.rawValue) within \(limit.text)"
    }
  }
}

extension ConversationExpectation.HistoryEntry: CustomStringConvertible {
  init(_ entry: ConversationHistory.Entry) {
    self.init(entry.speaker, entry.text, unheard: entry.isInterrupted ? entry.unheard : nil)
  }

  /// The entry as in a scenario: `user "how are you"`.
  public var description: String {
    func quoted(_ text: String) -> String {
      let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "\"\(escaped.replacing("\n", with: "\\n"))\""
    }
    return "\(speaker.rawValue) \(quoted(text))" + (unheard.map { " unheard \(quoted($0))" } ?? "")
  }

  /// Returns true if the entry is the expected one.
  func matches(_ entry: ConversationHistory.Entry) -> Bool {
    speaker == entry.speaker && text == entry.text && (unheard ?? entry.unheard) == entry.unheard
  }
}

extension ConversationExpectation.Event: CustomStringConvertible {
  /// The event as in a scenario.
  public var description: String {
    func tolerance(_ rate: Double) -> String {
      rate == 0 ? "" : " with \((rate * 100).brief) % errors"
    }
    return switch self {
    case .heard(let words, let rate): "heard \"\(words)\"" + tolerance(rate)
    case .intent(let name, let slots):
      "intent \(name)"
        + slots.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    case .said(let words, let rate): "said \"\(words)\"" + tolerance(rate)
    case .ignored(let words, let reason):
      "ignored" + (words.map { " \"\($0)\"" } ?? "") + (reason.map { " as \($0.rawValue)" } ?? "")
    case .interrupted(let words): "interrupted" + (words.map { " after \"\($0)\"" } ?? "")
    default: Self.plain.first { $0.event == self }?.name ?? ""
    }
  }

  /// The events without details, by their names in scenarios.
  static let plain: [(name: String, event: Self)] = [
    ("resumed", .resumed), ("reply failed", .replyFailed), ("voice failed", .voiceFailed),
    ("awake", .awake), ("asleep", .asleep), ("recognition lost", .recognitionLost),
    ("recognition returned", .recognitionReturned), ("prompted", .prompted), ("away", .away),
  ]

  /// Creates the event without details that a loop reports.
  init?(_ kind: VoiceLoopEvent.Kind) {
    switch kind {
    case .replyResumed: self = .resumed
    case .replyFailed: self = .replyFailed
    case .voiceFailed: self = .voiceFailed
    case .awake: self = .awake
    case .asleep: self = .asleep
    case .recognitionFailed: self = .recognitionLost
    case .recognitionReturned: self = .recognitionReturned
    case .prompted: self = .prompted
    case .away: self = .away
    default: return nil
    }
  }
}

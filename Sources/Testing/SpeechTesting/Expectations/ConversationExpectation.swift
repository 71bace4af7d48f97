/// Something that is expected of a conversation.
///
/// ```swift
/// let record = try await VirtualConversation.play(script) { devices in … }
/// try record.check([
///   .heard("turn on the kitchen light", within: .seconds(2)),
///   .intent("switch_light", ["room": "kitchen"]),
///   .said("The kitchen light is on."),
/// ])
/// ```
/// Expectations are met one behind the other: each by something that happens not before what met the one
/// before it. What is expected not to happen, and budgets, are about the whole conversation.
public struct ConversationExpectation: Sendable, Hashable {
  /// What is expected.
  public enum Event: Sendable, Hashable {
    /// The user is understood so, but for a share of the words.
    case heard(String, wordErrorRate: Double)
    /// What the user says is understood as that intent, with at least these slots and their codes.
    case intent(String, slots: [String: String])
    /// The reply, or a sentence of it, is heard to its end, but for a share of the words.
    case said(String, wordErrorRate: Double)
    /// Something is heard and not answered, for that reason if one is given.
    case ignored(String?, IgnoringReason?)
    /// A reply is ended by the user; this much was heard, if that is given.
    case interrupted(after: String?)
    /// A reply that was held goes on.
    case resumed
    /// No reply comes.
    case replyFailed
    /// The voice fails within a reply.
    case voiceFailed
    /// The wake word is heard.
    case awake
    /// Nothing is heard until the wake word.
    case asleep
    /// The recogniser or the microphone is away.
    case recognitionLost
    /// It is back.
    case recognitionReturned
    /// The user is asked whether they are there.
    case prompted
    /// The user counts as gone.
    case away
  }

  /// A stage of a turn whose length is bounded.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// From the user's last voice until it was decided that the turn is over.
    case endOfTurn = "end of turn"
    /// From there to the final text.
    case finalText = "final text"
    /// From there to the first piece of the reply.
    case firstToken = "first token"
    /// From there to the first sample of the reply.
    case firstSound = "first sound"
    /// From the user's last voice to the first sample of the reply.
    case total
    /// From the moment at which a voice over a reply was noticed until the reply was held.
    case interruption
  }

  /// How it is expected.
  public enum Kind: Sendable, Hashable {
    /// It happens, at most so long after the last word of whoever spoke last before it.
    case happens(Event, within: Duration?)
    /// It does not happen at all.
    case neverHappens(Event)
    /// Nothing is heard, and nobody is answered.
    case nothingHeard
    /// Nothing is said by us.
    case nothingSaid
    /// In no turn the stage takes longer.
    case budget(Stage, Duration)
  }

  /// What is expected and how.
  public var kind: Kind

  /// An expectation.
  public init(_ kind: Kind) { self.kind = kind }

  /// The user is understood.
  ///
  /// - Parameter wordErrorRate: how large a share of the words may be wrong.
  public static func heard(
    _ words: String, wordErrorRate: Double = 0, within limit: Duration? = nil
  ) -> ConversationExpectation {
    ConversationExpectation(.happens(.heard(words, wordErrorRate: wordErrorRate), within: limit))
  }

  /// What the user says is understood as that intent.
  public static func intent(
    _ name: String, _ slots: [String: String] = [:], within limit: Duration? = nil
  ) -> ConversationExpectation {
    ConversationExpectation(.happens(.intent(name, slots: slots), within: limit))
  }

  /// We say that, to its end.
  public static func said(
    _ words: String, wordErrorRate: Double = 0, within limit: Duration? = nil
  ) -> ConversationExpectation {
    ConversationExpectation(.happens(.said(words, wordErrorRate: wordErrorRate), within: limit))
  }

  /// The user interrupts us.
  public static func interrupted(after heard: String? = nil) -> ConversationExpectation {
    ConversationExpectation(.happens(.interrupted(after: heard), within: nil))
  }

  /// A reply that was held goes on.
  public static let resumed = ConversationExpectation(.happens(.resumed, within: nil))

  /// That happens.
  public static func happens(_ event: Event, within limit: Duration? = nil)
    -> ConversationExpectation
  {
    ConversationExpectation(.happens(event, within: limit))
  }

  /// That does not happen.
  public static func never(_ event: Event) -> ConversationExpectation {
    ConversationExpectation(.neverHappens(event))
  }

  /// Nothing is heard at all.
  public static let nothingHeard = ConversationExpectation(.nothingHeard)
  /// We say nothing at all.
  public static let nothingSaid = ConversationExpectation(.nothingSaid)

  /// In no turn that stage takes longer.
  public static func budget(_ stage: Stage, _ limit: Duration) -> ConversationExpectation {
    ConversationExpectation(.budget(stage, limit))
  }
}

extension ConversationExpectation: CustomStringConvertible {
  /// As a scenario has it: `heard "turn on the light" within 2 s`.
  public var description: String {
    switch kind {
    case .happens(let event, let limit):
      event.description + (limit.map { " within \($0.text)" } ?? "")
    case .neverHappens(let event): "no \(event)"
    case .nothingHeard: "nothing heard"
    case .nothingSaid: "nothing said"
    case .budget(let stage, let limit): "\(stage.rawValue) within \(limit.text)"
    }
  }
}

extension ConversationExpectation.Event: CustomStringConvertible {
  /// As a scenario has it.
  public var description: String {
    func tolerance(_ rate: Double) -> String {
      rate == 0 ? "" : " with \(brief(rate * 100)) % errors"
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
    case .resumed: "resumed"
    case .replyFailed: "reply failed"
    case .voiceFailed: "voice failed"
    case .awake: "awake"
    case .asleep: "asleep"
    case .recognitionLost: "recognition lost"
    case .recognitionReturned: "recognition returned"
    case .prompted: "prompted"
    case .away: "away"
    }
  }

  private func brief(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : String(number)
  }
}

/// What was said in a conversation, by both: of the replies only what the user has heard.
///
/// ```swift
/// for entry in loop.history.entries { print(entry.speaker, entry.text) }
/// ```
public struct ConversationHistory: Sendable, Hashable, Codable {
  /// Who spoke.
  public enum Speaker: String, Sendable, Hashable, Codable {
    /// The person.
    case user
    /// Us.
    case reply
  }

  /// One thing that was said.
  public struct Entry: Sendable, Hashable, Codable {
    /// Who said it.
    public var speaker: Speaker
    /// What the user said, or what was heard of the reply.
    public var text: String
    /// What was not heard of the reply, because it was interrupted.
    public var unheard: String

    /// An entry.
    public init(_ speaker: Speaker, _ text: String, unheard: String = "") {
      self.speaker = speaker
      self.text = text
      self.unheard = unheard
    }

    /// Whether the reply was interrupted.
    public var isInterrupted: Bool { !unheard.isEmpty }
  }

  /// What was said, the oldest first.
  public private(set) var entries: [Entry] = []

  /// A conversation that has not begun.
  public init(_ entries: some Sequence<Entry> = []) {
    self.entries = Array(entries)
  }

  /// What was said last by that speaker.
  public func last(_ speaker: Speaker) -> String? {
    entries.last { $0.speaker == speaker }?.text
  }

  /// The last so many entries, beginning with one of the user.
  public func suffix(_ count: Int) -> ConversationHistory {
    let last = entries.suffix(count).drop { $0.speaker != .user }
    return ConversationHistory(last)
  }

  /// What was said before the turn that is being answered.
  var beforeTurn: ConversationHistory {
    ConversationHistory(entries.last?.speaker == .user ? entries.dropLast() : entries)
  }

  /// Adds what the user said. A turn that goes on is one entry.
  mutating func addUser(_ text: String) {
    if let last = entries.last, last.speaker == .user, text.hasPrefix(last.text) {
      entries.removeLast()
    }
    entries.append(Entry(.user, text))
  }

  /// Adds what was heard of a reply, or keeps its place until that is known.
  mutating func addReply(_ ledger: ReplyLedger = ReplyLedger()) -> Int {
    entries.append(Entry(.reply, ledger.heard, unheard: ledger.unheard))
    return entries.count - 1
  }

  mutating func setReply(_ index: Int, _ ledger: ReplyLedger) {
    entries[index].text = ledger.heard
    entries[index].unheard = ledger.unheard
  }
}

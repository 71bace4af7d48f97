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
  public var entries: [Entry] { places.compactMap(\.self) }

  /// A place is empty until it is known whether anything was heard of what belongs there.
  private var places: [Entry?]

  /// A conversation that has not begun.
  public init(_ entries: some Sequence<Entry> = []) {
    places = Array(entries)
  }

  /// Reads what `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    places = try decoder.container(keyedBy: CodingKeys.self).decode([Entry].self, forKey: .entries)
  }

  /// Writes the entries under that name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entries, forKey: .entries)
  }

  private enum CodingKeys: CodingKey { case entries }

  /// Compares what was said.
  public static func == (one: Self, other: Self) -> Bool { one.entries == other.entries }

  /// Feeds in what was said.
  public func hash(into hasher: inout Hasher) { hasher.combine(entries) }

  /// What was said last by that speaker.
  public func last(_ speaker: Speaker) -> String? {
    entries.last { $0.speaker == speaker }?.text
  }

  /// The last so many entries, beginning with one of the user.
  public func suffix(_ count: Int) -> ConversationHistory {
    let last = entries.suffix(count).drop { $0.speaker != .user }
    return ConversationHistory(last)
  }

  /// How many places there are, with those of which it is not known yet whether they stay empty.
  var placeCount: Int { places.count }

  /// What was said before a turn that was taken when there were so many places. A turn that goes on from the
  /// last of them is not its own past.
  func before(_ question: String, at place: Int) -> ConversationHistory {
    var past = places.prefix(place).compactMap(\.self)
    if let last = past.last, last.isContinued(by: question) { past.removeLast() }
    return ConversationHistory(past)
  }

  /// Adds what the user said. A turn that goes on is one entry.
  mutating func addUser(_ text: String) {
    if let last = places.lastIndex(where: { $0 != nil }),
      places[last]?.isContinued(by: text) == true
    {
      places[last] = nil
    }
    places.append(Entry(.user, text))
  }

  /// Adds what was heard of a reply.
  mutating func addReply(_ ledger: ReplyLedger) {
    places.append(Entry(.reply, ledger.heard, unheard: ledger.unheard))
  }

  /// Keeps a place for a reply of which it is not known yet what was heard.
  mutating func keepPlace() -> Int {
    places.append(nil)
    return places.count - 1
  }

  mutating func setReply(_ place: Int, _ ledger: ReplyLedger) {
    places[place] = Entry(.reply, ledger.heard, unheard: ledger.unheard)
  }
}

extension ConversationHistory.Entry {
  fileprivate func isContinued(by text: String) -> Bool {
    speaker == .user && text.hasPrefix(self.text)
  }
}

/// The words of both sides of a conversation. Of a reply it holds only the part that the user has
/// heard.
///
/// ```swift
/// for entry in loop.history.entries { print(entry.speaker, entry.text) }
/// ```
public struct ConversationHistory: Sendable, Hashable, Codable {
  /// The side that spoke.
  public enum Speaker: String, Sendable, Hashable, Codable {
    /// The person who uses the app.
    case user
    /// The loop, with a reply of its responder.
    case reply
  }

  /// One contribution to the conversation.
  public struct Entry: Sendable, Hashable, Codable {
    /// The side that spoke.
    public var speaker: Speaker
    /// The user's words, or the part of the reply that was heard.
    public var text: String
    /// The part of the reply that was not heard because it was interrupted.
    public var unheard: String

    /// Creates an entry, as for a conversation that is continued.
    public init(_ speaker: Speaker, _ text: String, unheard: String = "") {
      self.speaker = speaker
      self.text = text
      self.unheard = unheard
    }

    /// True if the reply was interrupted.
    public var isInterrupted: Bool { !unheard.isEmpty }
  }

  /// The contributions, the oldest first.
  public var entries: [Entry] { places.compactMap(\.self) }

  /// A place stays empty until it is known whether anything of its reply was heard.
  private var places: [Entry?]

  /// Creates a history that continues from the given entries.
  public init(_ entries: some Sequence<Entry> = []) {
    places = Array(entries)
  }

  /// Decodes a history that `encode(to:)` has encoded.
  public init(from decoder: any Decoder) throws {
    places = try decoder.container(keyedBy: CodingKeys.self).decode([Entry].self, forKey: .entries)
  }

  /// Encodes the entries under the key `entries`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entries, forKey: .entries)
  }

  private enum CodingKeys: CodingKey { case entries }

  /// Compares the entries of two histories.
  public static func == (one: Self, other: Self) -> Bool { one.entries == other.entries }

  /// Hashes the entries of the history.
  public func hash(into hasher: inout Hasher) { hasher.combine(entries) }

  /// Returns the last words of a side; `nil` if it has not spoken.
  public func last(_ speaker: Speaker) -> String? {
    entries.last { $0.speaker == speaker }?.text
  }

  /// Returns the last entries, at most the given number, beginning with one of the user.
  public func suffix(_ count: Int) -> ConversationHistory {
    let last = entries.suffix(count).drop { $0.speaker != .user }
    return ConversationHistory(last)
  }

  /// The number of places, including those that may stay empty.
  var placeCount: Int { places.count }

  /// Returns the history when it had that many places, with what has become known of them since.
  func prefix(places count: Int) -> ConversationHistory {
    ConversationHistory(places.prefix(count).compactMap(\.self))
  }

  /// Adds the user's words, and returns their place.
  mutating func addUser(_ text: String) -> Int {
    places.append(Entry(.user, text))
    return places.count - 1
  }

  /// Removes words that a later entry contains.
  mutating func remove(_ place: Int) { places[place] = nil }

  /// Adds the heard part of a reply.
  mutating func addReply(_ ledger: ReplyLedger) {
    places.append(Entry(.reply, ledger.heard, unheard: ledger.unheard))
  }

  /// Reserves a place for a reply whose heard part is not known yet.
  mutating func keepPlace() -> Int {
    places.append(nil)
    return places.count - 1
  }

  mutating func setReply(_ place: Int, _ ledger: ReplyLedger) {
    places[place] = Entry(.reply, ledger.heard, unheard: ledger.unheard)
  }
}

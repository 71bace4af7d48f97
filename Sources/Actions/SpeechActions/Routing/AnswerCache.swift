import AIServices
import SpeechConcurrency

/// A cache of answers in memory, so that a repeated request to the same connector costs nothing.
///
/// Requests are equal if their address, model, key, header fields and messages are. The least
/// recently used answers are removed first. Nothing is written to disk.
public final class AnswerCache: Sendable {
  struct Key: Sendable, Hashable {
    /// The settings that affect the answer.
    let connector: Connector
    let request: ChatRequest

    init(_ connector: Connector, _ request: ChatRequest) {
      self.connector = Connector(
        id: "", kind: connector.kind, baseURL: connector.resolvedBaseURL,
        credential: connector.keyName, model: connector.model, headers: connector.headers)
      // Streaming and retries do not affect the answer.
      var request = request
      request.streams = true
      request.retries = nil
      self.request = request
    }
  }

  struct Entry: Sendable {
    var raw: String
    var usage: ServiceUsage
    var time: Duration
    fileprivate var turn = 0

    init(raw: String, usage: ServiceUsage, time: Duration) {
      self.raw = raw
      self.usage = usage
      self.time = time
    }

    fileprivate func bytes(with key: Key) -> Int {
      raw.utf8.count + key.request.messages.reduce(256) { $0 + $1.text.utf8.count }
    }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var bytes = 0
    var turn = 0
  }

  private let maximumEntries: Int
  private let maximumBytes: Int
  private let state = Guarded(State())

  /// Creates an empty cache with a maximum size.
  public init(maximumEntries: Int = 256, maximumBytes: Int = 4 << 20) {
    self.maximumEntries = max(0, maximumEntries)
    self.maximumBytes = max(0, maximumBytes)
  }

  /// The number of cached answers.
  public var count: Int { state.withLock(\.entries.count) }

  /// Removes all cached answers.
  public func removeAll() { state.withLock { $0 = State() } }

  func entry(for key: Key, notOlderThan lifetime: Duration, at time: Duration) -> Entry? {
    state.withLock { state in
      guard let entry = state.entries[key], time - entry.time <= lifetime else { return nil }
      state.turn += 1
      state.entries[key]?.turn = state.turn
      return entry
    }
  }

  func keep(_ entry: Entry, for key: Key) {
    let size = entry.bytes(with: key)
    guard size <= maximumBytes, maximumEntries > 0 else { return }
    let (maximumEntries, maximumBytes) = (maximumEntries, maximumBytes)
    state.withLock { state in
      if let old = state.entries[key] { state.bytes -= old.bytes(with: key) }
      state.turn += 1
      var entry = entry
      entry.turn = state.turn
      state.entries[key] = entry
      state.bytes += size
      while state.entries.count > maximumEntries || state.bytes > maximumBytes,
        let oldest = state.entries.min(by: { $0.value.turn < $1.value.turn })
      {
        state.bytes -= oldest.value.bytes(with: oldest.key)
        state.entries[oldest.key] = nil
      }
    }
  }
}

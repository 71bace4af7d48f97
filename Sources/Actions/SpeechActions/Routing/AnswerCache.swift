import AIServices
import SpeechConcurrency

/// Keeps answers in memory, so that the same question to the same connector costs nothing the second time.
///
/// The same is what is the same in all that matters: address, model, key, header fields and every word of the
/// request. What was not asked for longest goes first when there are too many. Nothing is written to a disk.
public final class AnswerCache: Sendable {
  struct Key: Sendable, Hashable {
    let kind: Connector.Kind
    let baseURL: String
    let model: String
    let credential: String?
    let headers: [String: String]
    let request: ChatRequest

    init(_ connector: Connector, _ request: ChatRequest) {
      kind = connector.kind
      baseURL = connector.resolvedBaseURL
      model = connector.model
      credential = connector.keyName
      headers = connector.headers
      // How an answer comes says nothing about what it is.
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

  private let mostEntries: Int
  private let mostBytes: Int
  private let state = Guarded(State())

  /// An empty cache.
  public init(mostEntries: Int = 256, mostBytes: Int = 4 << 20) {
    self.mostEntries = max(0, mostEntries)
    self.mostBytes = max(0, mostBytes)
  }

  /// How many answers there are.
  public var count: Int { state.withLock(\.entries.count) }

  /// Forgets all.
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
    guard size <= mostBytes, mostEntries > 0 else { return }
    let (mostEntries, mostBytes) = (mostEntries, mostBytes)
    state.withLock { state in
      if let old = state.entries[key] { state.bytes -= old.bytes(with: key) }
      state.turn += 1
      var entry = entry
      entry.turn = state.turn
      state.entries[key] = entry
      state.bytes += size
      while state.entries.count > mostEntries || state.bytes > mostBytes,
        let oldest = state.entries.min(by: { $0.value.turn < $1.value.turn })
      {
        state.bytes -= oldest.value.bytes(with: oldest.key)
        state.entries[oldest.key] = nil
      }
    }
  }
}

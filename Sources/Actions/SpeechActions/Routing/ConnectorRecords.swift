import Foundation
import SpeechConcurrency
import SpeechFiles

/// Records the health of connectors: times to the first token, latencies, successes and failures.
///
/// All programs of the user share a file, so that hedging knows from a program's first run when an
/// answer is late. The file contains durations and counts, and no text. A service is identified by
/// the connector's id and a digest of its address. Errors, costs and client states are not shared.
///
/// ```swift
/// let runner = ActionRunner(spending: .user, records: .user)
/// ```
public actor ConnectorRecords {
  typealias Change = @Sendable (inout ConnectorHealth) -> Void

  private static let lockName = "connectors.lock"
  /// The time limit for waiting for another program that holds the lock of the file.
  private static let defaultTimeout = Duration.milliseconds(500)
  /// The maximum number of unsaved changes, for a file that cannot be written.
  private static let maximumPending = 1_000

  /// The records of the user, in `speechkit/connectors.json` of `$XDG_STATE_HOME`, which is
  /// `~/.local/state` unless set. In memory only for a user without a home folder.
  public static let user = ConnectorRecords(
    file: BaseFolder.state.path(ProcessInfo.processInfo.environment).map {
      URL(filePath: $0).appending(path: "speechkit/connectors.json")
    })

  private let file: URL?
  private let now: @Sendable () -> Date
  private var book = RecordTable()
  private var isLoaded = false
  /// Changes that are not in the file yet.
  private var pending: [(key: RecordTable.Key, change: Change)] = []
  private var saving: Task<Void, Never>?
  private let timeout: Duration

  /// Creates records.
  ///
  /// - Parameter file: The file of the records; in memory only if `nil`.
  public init(file: URL? = nil, now: @escaping @Sendable () -> Date = { Date() }) {
    self.init(file: file, timeout: Self.defaultTimeout, now: now)
  }

  /// - Parameter timeout: The time limit for waiting for another program that holds the lock.
  init(file: URL?, timeout: Duration, now: @escaping @Sendable () -> Date) {
    self.file = file
    self.timeout = timeout
    self.now = now
  }

  /// Returns the health of a connector. Changing its address or model starts new records.
  public func health(of connector: Connector) -> ConnectorHealth {
    load()
    return book.connectors[RecordTable.Key(connector)] ?? ConnectorHealth()
  }

  func note(_ connector: Connector, _ change: @escaping Change) {
    load()
    let key = RecordTable.Key(connector)
    book.change(key, at: now(), change)
    if file != nil { pending.append((key, change)) }
  }

  /// Merges unsaved changes into the file. Changes that cannot be written are written with the next
  /// ones.
  func save() async {
    // Saves run one after another: a caller that waited writes for all, or finds nothing left.
    while let saving { await saving.value }
    guard file != nil, !pending.isEmpty else { return }
    let task = Task { await write() }
    saving = task
    await task.value
  }

  /// Saves without waiting.
  nonisolated func saveSoon() {
    Task { await save() }
  }

  private func write() async {
    defer { saving = nil }
    guard let file else { return }
    let (batch, time) = (pending, now())
    let shared = SharedFile(file, lockName: Self.lockName)
    let written = try? await shared.change(within: timeout) { data in
      var book = data.flatMap { RecordTable($0) } ?? RecordTable()
      for (key, change) in batch { book.change(key, at: time, change) }
      book.forgetOld(at: time)
      return (book, try book.encoded())
    }
    guard var seen = written else {
      pending.removeFirst(max(0, pending.count - Self.maximumPending))
      return
    }
    pending.removeFirst(batch.count)
    for (key, change) in pending { seen.change(key, at: time, change) }
    for (key, health) in book.connectors { seen.connectors[key]?.takeLocal(of: health) }
    book = seen
  }

  /// A file that cannot be read is replaced, because it holds nothing of value.
  private func load() {
    guard let file, !isLoaded else { return }
    isLoaded = true
    guard let data = try? SharedFile(file, lockName: Self.lockName).read() else { return }
    book = RecordTable(data) ?? RecordTable()
  }
}

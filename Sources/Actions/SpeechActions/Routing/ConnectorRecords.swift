import Foundation
import SpeechConcurrency
import SpeechFiles

/// Remembers how connectors have been doing: how quickly they began, how long they took, how often they failed.
///
/// The one of the user's files is shared by all programs, so that hedging knows from a program's first run when
/// an answer is late. It holds durations and counts and no word of any text; which service is meant, it tells by
/// the connector's id and a digest of its address. What went wrong last, what it cost and whether requests are
/// held back are each program's own.
///
/// ```swift
/// let runner = ActionRunner(spending: .user, records: .user)
/// ```
public actor ConnectorRecords {
  typealias Change = @Sendable (inout ConnectorMonitor) -> Void

  private static let lockName = "connectors.lock"
  /// Nobody waits longer than that for another program that keeps the file for itself.
  private static let usualPatience = Duration.milliseconds(500)
  /// So much is kept at most where nothing can be written.
  private static let mostPending = 1_000

  /// The records of the user, in `speechkit/connectors.json` of `$XDG_STATE_HOME`, which is `~/.local/state`
  /// unless set. In memory alone for a user without a home.
  public static let user = ConnectorRecords(
    file: BaseFolder.state.path(ProcessInfo.processInfo.environment).map {
      URL(filePath: $0).appending(path: "speechkit/connectors.json")
    })

  private let file: URL?
  private let now: @Sendable () -> Date
  private var book = RecordTable()
  private var isLoaded = false
  /// What is not in the file yet.
  private var pending: [(key: RecordTable.Key, change: Change)] = []
  private var saving: Task<Void, Never>?
  private let patience: Duration

  /// Records.
  ///
  /// - Parameter file: where they are kept; `nil` for in memory alone.
  public init(file: URL? = nil, now: @escaping @Sendable () -> Date = { Date() }) {
    self.init(file: file, patience: Self.usualPatience, now: now)
  }

  /// - Parameter patience: how long another program may keep the file for itself.
  init(file: URL?, patience: Duration, now: @escaping @Sendable () -> Date) {
    self.file = file
    self.patience = patience
    self.now = now
  }

  /// What is known of a connector. One whose address or model was changed is another one.
  public func health(of connector: Connector) -> ConnectorHealth {
    load()
    return book.monitors[RecordTable.Key(connector)]?.health ?? ConnectorHealth()
  }

  func note(_ connector: Connector, _ change: @escaping Change) {
    load()
    let key = RecordTable.Key(connector)
    book.change(key, at: now(), change)
    if file != nil { pending.append((key, change)) }
  }

  /// Writes down what was noted, together with what other programs have seen. What cannot be written now is
  /// written with what is noted next.
  func save() async {
    // One after the other: whoever waited finds that nothing is left to be written, or writes for all.
    while let saving { await saving.value }
    guard file != nil, !pending.isEmpty else { return }
    let task = Task { await write() }
    saving = task
    await task.value
  }

  /// Has it written down without waiting for it.
  nonisolated func saveSoon() {
    Task { await save() }
  }

  private func write() async {
    defer { saving = nil }
    guard let file else { return }
    let (batch, time) = (pending, now())
    let shared = SharedFile(file, lockName: Self.lockName)
    let written = try? await shared.change(within: patience) { data in
      var book = data.flatMap { RecordTable($0) } ?? RecordTable()
      for (key, change) in batch { book.change(key, at: time, change) }
      book.forgetOld(at: time)
      return (book, try book.encoded())
    }
    guard var seen = written else {
      pending.removeFirst(max(0, pending.count - Self.mostPending))
      return
    }
    pending.removeFirst(batch.count)
    for (key, change) in pending { seen.change(key, at: time, change) }
    for (key, monitor) in book.monitors { seen.monitors[key]?.takeOwn(of: monitor) }
    book = seen
  }

  /// Nothing of value is in a file that cannot be read.
  private func load() {
    guard let file, !isLoaded else { return }
    isLoaded = true
    guard let data = try? SharedFile(file, lockName: Self.lockName).read() else { return }
    book = RecordTable(data) ?? RecordTable()
  }
}

import Foundation
import SpeechConcurrency
import SpeechFiles

/// A completed run in a list of recent runs.
public struct RunRecord: Sendable, Hashable, Codable {
  /// The identifier of the run.
  public var id: String
  /// The id of the action.
  public var action: String
  /// The name of the action.
  public var actionName: String
  /// The beginning of the text; empty for an action whose text stays on this machine.
  public var text: String
  /// The time at which the run started.
  public var date: Date
  /// The duration of the run in milliseconds.
  public var milliseconds: Int
  /// The total cost; `nil` without prices.
  public var cost: Double?
  /// True if a part of the cost is an estimate.
  public var isCostEstimated: Bool
  /// The connectors whose answers count.
  public var answered: [String]
  /// The reason for having no answer; `nil` if there is one.
  public var error: String?
}

/// The recent runs of all programs of the user, in a file that only the user can read.
///
/// ```swift
/// let latest = await RunHistory.user.runs().first
/// ```
public actor RunHistory {
  private static let lockName = "runs.lock"
  private static let maximumRuns = 20
  /// The time limit for waiting for another program that holds the lock of the file.
  private static let timeout = Duration.milliseconds(500)

  private struct Page: Codable {
    var version = 1
    var runs: [RunRecord] = []
  }

  /// The runs of the user, in `speechkit/runs.json` of `$XDG_STATE_HOME`, which is
  /// `~/.local/state` unless set. In memory only for a user without a home folder.
  public static let user = RunHistory(
    file: BaseFolder.state.path(ProcessInfo.processInfo.environment).map {
      URL(filePath: $0).appending(path: "speechkit/runs.json")
    })

  private let file: SharedFile?
  private var latest: [RunRecord] = []

  /// Creates a history.
  ///
  /// - Parameter file: The file of the runs; in memory only if `nil`.
  public init(file: URL? = nil) {
    self.file = file.map { SharedFile($0, lockName: Self.lockName) }
  }

  /// Returns the recent runs of all programs, the latest first.
  public func runs() -> [RunRecord] {
    guard let file, let data = try? file.read() else { return latest }
    return Self.merged(latest, Self.runs(in: data))
  }

  /// Adds a run in memory.
  func note(_ run: RunRecord) { latest = Self.merged([run], latest) }

  /// Merges the runs into the file. Runs that cannot be written are written with the next ones.
  func save() async {
    let latest = latest
    _ = try? await file?.change(within: Self.timeout) { data in
      let page = Page(runs: Self.merged(latest, data.map(Self.runs) ?? []))
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return ((), try encoder.encode(page))
    }
  }

  /// A file that cannot be read, or is of a later version, counts as empty.
  private static func runs(in data: Data) -> [RunRecord] {
    guard let page = try? JSONDecoder().decode(Page.self, from: data), page.version == 1 else {
      return []
    }
    return page.runs
  }

  private static func merged(_ some: [RunRecord], _ others: [RunRecord]) -> [RunRecord] {
    let known = Set(some.map(\.id))
    let all = some + others.filter { !known.contains($0.id) }
    return Array(all.sorted { $0.date > $1.date }.prefix(maximumRuns))
  }
}

extension RunRecord {
  init(_ outcome: RunOutcome, of action: TextAction, on text: String, id: String, at date: Date) {
    self.init(
      id: id, action: action.id, actionName: action.name,
      text: action.privacy.isPrivate ? "" : String(text.prefix(120)), date: date,
      milliseconds: outcome.latency.wholeMilliseconds, cost: outcome.cost,
      isCostEstimated: outcome.isCostEstimated, answered: outcome.answers.map(\.connector),
      error: outcome.error?.localizedDescription)
  }
}

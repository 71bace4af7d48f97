import AIServices
import Foundation
import SpeechFiles

/// Keeps actions within their spending caps: the maximum cost of a request is reserved before it is
/// sent, and the actual cost replaces it afterwards.
///
/// All programs of the user share a file. Amounts that were reserved by a program that was killed
/// count as spent.
///
/// ```swift
/// let runner = ActionRunner(spending: .user, records: .user)
/// ```
public actor SpendingLedger {
  struct Reservation: Sendable {
    fileprivate var account: String
    fileprivate var sum: Int
    fileprivate var isShared: Bool
  }

  private static let lockName = "spending.lock"

  /// The ledger of the user, in `speechkit/spending.json` of `$XDG_STATE_HOME`, which is
  /// `~/.local/state` unless set. In memory only for a user without a home folder.
  public static let user = SpendingLedger(
    file: BaseFolder.state.path(ProcessInfo.processInfo.environment).map {
      URL(filePath: $0).appending(path: "speechkit/spending.json")
    })

  private let file: URL?
  /// Orders this program's changes, so that waiting for one of them does not count as waiting for
  /// the lock of another program.
  private let turns = RequestGate(limits: ServiceLimits(concurrentRequests: 1), clock: .real)
  private let now: @Sendable () -> Date
  /// The accounts that concern no other program.
  private var accounts = SpendingAccounts()

  /// Creates a ledger.
  ///
  /// - Parameter file: The file of the ledger; in memory only if `nil`.
  public init(file: URL? = nil, now: @escaping @Sendable () -> Date = { Date() }) {
    self.file = file
    self.now = now
  }

  /// Returns the amount that an action has spent in the current period, including reserved amounts.
  ///
  /// - Throws: `ActionError.storage`.
  public func spent(by action: String, per period: SpendingCap.Period) async throws -> Double {
    let account = account(action, period, run: "")
    let total = try await change(isShared: period != .run) { $0.accounts[account]?.total ?? 0 }
    return Double(total) / 1e9
  }

  /// - Throws: `ActionError.spendingCapReached`; `storage`.
  func reserve(
    _ amount: Double, for action: TextAction, under cap: SpendingCap, run: String
  ) async throws -> Reservation {
    let sum = SpendingAccounts.billionths(amount)
    let most = Int(min(9e18, max(0, cap.amount) * 1e9).rounded(.down))
    let account = account(action.id, cap.period, run: run)
    let reservation = Reservation(account: account, sum: sum, isShared: cap.period != .run)
    let isReserved = try await change(isShared: reservation.isShared) { accounts in
      accounts.reserve(sum, on: account, cap: most)
    }
    guard isReserved else {
      throw ActionError.spendingCapReached(
        "This may cost up to \(Self.shown(amount)), which exceeds the spending cap of "
          + "“\(action.name)”: \(Self.shown(cap.amount)) per \(cap.period.rawValue), including "
          + "reserved amounts. Raise the cap, lower the maximum output tokens, or choose a cheaper "
          + "connector.")
    }
    return reservation
  }

  /// - Parameter cost: The actual cost; the reserved amount if `nil`.
  func settle(_ reservation: Reservation, cost: Double?) async {
    // A cancelled request must be settled too, hence a task of its own. An amount that cannot be
    // settled stays reserved, so that the cap still holds.
    await Task {
      try? await change(isShared: reservation.isShared) { accounts in
        accounts.settle(
          reservation.sum, cost: cost.map(SpendingAccounts.billionths) ?? reservation.sum,
          on: reservation.account)
      }
    }.value
  }

  private func account(_ action: String, _ period: SpendingCap.Period, run: String) -> String {
    period == .run ? "run \(run)" : "\(period.rawValue) \(stamp(of: period)) \(action)"
  }

  private func stamp(of period: SpendingCap.Period) -> String {
    let day = now().formatted(.iso8601.year().month().day())
    return period == .day ? day : String(day.prefix(7))
  }

  static func shown(_ amount: Double) -> String {
    var text = String(format: "%.4f", amount)
    while text.hasSuffix("00") { text.removeLast() }
    return text
  }

  /// Removes the account of a run that has ended.
  func close(run: String) {
    accounts.keep { $0 != "run \(run)" }
  }

  private func change<Result: Sendable>(
    isShared: Bool, _ body: @escaping @Sendable (inout SpendingAccounts) -> Result
  ) async throws -> Result {
    guard isShared, let file else { return body(&accounts) }
    try await turns.enter()
    defer { turns.leave() }
    let current = [stamp(of: .day), stamp(of: .month)]
    return try await SharedFile(file, lockName: Self.lockName).change { data in
      var accounts = try Self.accounts(in: data, at: file)
      accounts.keep { name in current.contains { name.contains(" \($0) ") } }
      let result = body(&accounts)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return (result, try encoder.encode(accounts))
    }
  }

  private static func accounts(in data: Data?, at file: URL) throws -> SpendingAccounts {
    guard let data, !data.isEmpty else { return SpendingAccounts() }
    guard let accounts = try? JSONDecoder().decode(SpendingAccounts.self, from: data) else {
      throw ActionError.storage(
        "“\(file.path)” is not a valid spending ledger. Move it elsewhere to start a new one.")
    }
    return accounts
  }
}

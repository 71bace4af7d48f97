import Foundation

/// The amounts spent, and those reserved for running requests.
///
/// A value: amounts in, decisions out. Amounts are whole billionths, so that small ones add up
/// exactly.
struct SpendingAccounts: Sendable, Hashable, Codable {
  struct Account: Sendable, Hashable, Codable {
    var spent = 0
    var reserved = 0

    var total: Int { spent.adding(reserved) }
  }

  private(set) var accounts: [String: Account] = [:]

  /// Reserves an amount, unless the total would exceed the cap.
  mutating func reserve(_ sum: Int, on account: String, cap: Int) -> Bool {
    let total = (accounts[account] ?? Account()).total.adding(sum)
    guard total <= cap, total < .max else { return false }
    accounts[account, default: Account()].reserved += sum
    return true
  }

  /// Replaces a reserved amount with the actual cost.
  mutating func settle(_ sum: Int, cost: Int, on account: String) {
    guard var present = accounts[account] else { return }
    present.reserved = max(0, present.reserved - sum)
    present.spent = present.spent.adding(cost)
    accounts[account] = present
  }

  /// Removes accounts of past periods.
  mutating func keep(where isKept: (String) -> Bool) {
    accounts = accounts.filter { isKept($0.key) }
  }

  /// Converts an amount to billionths, rounding up.
  static func billionths(_ amount: Double) -> Int {
    guard amount > 0 else { return 0 }
    let rounded = (amount * 1e9).rounded(.up)
    return rounded < 9e18 ? Int(rounded) : .max
  }
}

extension Int {
  /// The sum, or the largest number if that is too large.
  fileprivate func adding(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

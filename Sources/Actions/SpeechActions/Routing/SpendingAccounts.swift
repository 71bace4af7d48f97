import Foundation

/// What was spent, and what is promised to requests that are under way.
///
/// A value: sums in, decisions out. Sums are whole billionths, so that many small ones add up exactly.
struct SpendingAccounts: Sendable, Hashable, Codable {
  struct Account: Sendable, Hashable, Codable {
    var spent = 0
    var reserved = 0

    var total: Int {
      let (sum, isTooLarge) = spent.addingReportingOverflow(reserved)
      return isTooLarge ? .max : sum
    }
  }

  private(set) var accounts: [String: Account] = [:]

  /// Promises the sum, unless spent and promised sums would then be more than the cap.
  mutating func reserve(_ sum: Int, on account: String, cap: Int) -> Bool {
    let present = accounts[account] ?? Account()
    let (total, isTooLarge) = present.total.addingReportingOverflow(sum)
    guard !isTooLarge, total <= cap else { return false }
    accounts[account, default: Account()].reserved += sum
    return true
  }

  /// Puts what it cost in the place of what was promised.
  mutating func settle(_ sum: Int, cost: Int, on account: String) {
    guard var present = accounts[account] else { return }
    present.reserved = max(0, present.reserved - sum)
    present.spent =
      present.spent.addingReportingOverflow(cost).overflow ? .max : present.spent + cost
    accounts[account] = present
  }

  /// Forgets accounts of times that are over.
  mutating func keep(where isKept: (String) -> Bool) {
    accounts = accounts.filter { isKept($0.key) }
  }

  /// The sum in billionths, rounded up.
  static func billionths(_ amount: Double) -> Int {
    guard amount > 0 else { return 0 }
    let rounded = (amount * 1e9).rounded(.up)
    return rounded < 9e18 ? Int(rounded) : .max
  }
}

/// Limits retries to a small share of all requests, so that traffic to a failing service does not
/// triple.
///
/// Each retry takes one from the budget, and each success returns a tenth.
struct RetryBudget: Sendable {
  private var tenths: Int
  private let capacity: Int

  init(repetitions: Int) {
    capacity = repetitions * 10
    tenths = capacity
  }

  /// Takes a retry from the budget; returns false if there is none left.
  mutating func takeOne() -> Bool {
    guard tenths >= 10 else { return false }
    tenths -= 10
    return true
  }

  mutating func noteSuccess() {
    tenths = min(tenths + 1, capacity)
  }
}

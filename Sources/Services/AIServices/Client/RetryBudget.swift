/// Keeps repetitions a small share of all requests, so that a service in trouble does not get its
/// traffic tripled.
///
/// Each repetition takes one from the budget, each success gives a tenth back.
struct RetryBudget: Sendable {
  private var tenths: Int
  private let capacity: Int

  init(repetitions: Int) {
    capacity = repetitions * 10
    tenths = capacity
  }

  /// Whether one more repetition is in the budget; if so it is taken.
  mutating func takeOne() -> Bool {
    guard tenths >= 10 else { return false }
    tenths -= 10
    return true
  }

  mutating func noteSuccess() {
    tenths = min(tenths + 1, capacity)
  }
}

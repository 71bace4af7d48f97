/// The cost of requests, exact or estimated.
struct RunCost: Sendable, Hashable {
  var amount: Double
  /// True if a service reported no token counts.
  var isEstimated: Bool

  static let none = RunCost(amount: 0, isEstimated: false)

  static func + (one: RunCost, other: RunCost) -> RunCost {
    RunCost(
      amount: one.amount + other.amount, isEstimated: one.isEstimated || other.isEstimated)
  }
}

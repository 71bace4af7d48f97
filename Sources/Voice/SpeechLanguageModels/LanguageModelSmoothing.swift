/// A method that reserves probability for n-grams that a text does not contain.
public enum LanguageModelSmoothing: String, Sendable, Hashable, Codable, CaseIterable {
  /// For each length modified Kneser-Ney if the text is large enough for its discounts, otherwise
  /// Witten-Bell.
  case automatic
  /// Interpolated modified Kneser-Ney with the discounts of Chen and Goodman's closed form.
  case modifiedKneserNey = "kneser-ney"
  /// Interpolated Witten-Bell, which is possible with any text.
  case wittenBell = "witten-bell"
}

/// The discounts for n-grams that occur once, twice, and more often.
struct KneserNeyDiscounts: Sendable, Equatable {
  private let values: [Double]

  /// Creates the discounts for these counts; `nil` if there are too few.
  init?(_ counts: some Sequence<UInt32>) {
    var times = [0.0, 0, 0, 0, 0]
    for count in counts where (1...4).contains(count) { times[Int(count)] += 1 }
    guard times[1...3].allSatisfy({ $0 > 0 }) else { return nil }
    let share = times[1] / (times[1] + 2 * times[2])
    let all = (1...3).map { Double($0) - Double($0 + 1) * share * times[$0 + 1] / times[$0] }
    // Otherwise an n-gram would be more probable than observed, or have a negative probability.
    guard zip(1..., all).allSatisfy({ $1 >= 0 && $1 <= Double($0) }) else { return nil }
    values = [0] + all
  }

  subscript(count: UInt32) -> Double { values[Int(min(count, 3))] }
}

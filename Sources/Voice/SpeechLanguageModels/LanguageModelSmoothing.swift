/// How likelihood is set aside for what a text does not show.
public enum LanguageModelSmoothing: String, Sendable, Hashable, Codable, CaseIterable {
  /// For each length of chains modified Kneser-Ney where the text is large enough for its discounts, and
  /// Witten-Bell where not.
  case automatic
  /// Interpolated modified Kneser-Ney with the discounts of Chen and Goodman's closed form.
  case modifiedKneserNey = "kneser-ney"
  /// Interpolated Witten-Bell, which takes any text.
  case wittenBell = "witten-bell"
}

/// What is taken from the counts of chains that occurred once, twice, and more often.
struct KneserNeyDiscounts: Sendable, Equatable {
  private let values: [Double]

  /// The discounts for these counts; `nil` if there are too few of them.
  init?(_ counts: some Sequence<UInt32>) {
    var times = [0.0, 0, 0, 0, 0]
    for count in counts where (1...4).contains(count) { times[Int(count)] += 1 }
    guard times[1...3].allSatisfy({ $0 > 0 }) else { return nil }
    let share = times[1] / (times[1] + 2 * times[2])
    let all = (1...3).map { Double($0) - Double($0 + 1) * share * times[$0 + 1] / times[$0] }
    // Outside of this some chain would become likelier than it was seen to be, or less than impossible.
    guard zip(1..., all).allSatisfy({ $1 >= 0 && $1 <= Double($0) }) else { return nil }
    values = [0] + all
  }

  subscript(count: UInt32) -> Double { values[Int(min(count, 3))] }
}

import Foundation

/// Estimates probabilities from counts.
struct NGramEstimator {
  /// The counts by length; those of single words have an entry for each word, even if it did not
  /// occur.
  let counts: [NGramCounts.Run]
  /// The minimum number of occurrences by length.
  let leastCounts: [Int]
  /// The discounts by length; `nil` for Witten-Bell smoothing.
  let discounts: [KneserNeyDiscounts?]
  /// The counts that discounts and probabilities are computed from: for all but the longest
  /// n-grams, with Kneser-Ney, the number of distinct words before an n-gram instead of its
  /// occurrences.
  private let adjusted: [[UInt32]]

  /// Prepares an estimate.
  ///
  /// - Throws: `LanguageModelError` if the chosen smoothing is not possible with these counts.
  init(
    _ counts: [NGramCounts.Run], leastCounts: [Int], smoothing: LanguageModelSmoothing
  ) throws(LanguageModelError) {
    self.counts = counts
    self.leastCounts = leastCounts
    guard smoothing != .wittenBell else {
      adjusted = counts.map(\.counts)
      discounts = counts.map { _ in nil }
      return
    }
    adjusted = Self.continuations(counts)
    discounts = adjusted.map { KneserNeyDiscounts($0) }
    if smoothing == .modifiedKneserNey, let missing = discounts.firstIndex(where: { $0 == nil }) {
      throw LanguageModelError(
        reason:
          "The text is too small or too uniform for Kneser-Ney with n-grams of \(missing + 1) "
          + "words. Use Witten-Bell.")
    }
  }

  /// The number of distinct words before each n-gram, or of occurrences if there can be no word
  /// before it.
  private static func continuations(_ counts: [NGramCounts.Run]) -> [[UInt32]] {
    counts.indices.map { index in
      guard index + 1 < counts.count else { return counts[index].counts }
      let length = index + 1
      let longer = NGramCounts.Run(
        counting: counts[index + 1].keys.map { $0.suffix(of: length + 1) })
      var result = [UInt32](repeating: 0, count: counts[index].keys.count)
      var place = 0
      for (index, key) in counts[index].keys.enumerated() {
        while place < longer.keys.count, longer.keys[place] < key { place += 1 }
        if key.firstWord(of: length) == ReservedWord.start {
          result[index] = length == 1 ? 0 : counts[length - 1].counts[index]
        } else if place < longer.keys.count, longer.keys[place] == key {
          result[index] = longer.counts[place]
        }
      }
      return result
    }
  }

  /// The n-grams with their probabilities, by length.
  func levels() -> [NGramLevel] {
    var levels = [NGramLevel()]
    var probabilities = singleWords()
    levels[0].keys = counts[0].keys
    levels[0].logProbabilities = probabilities.map(NGramLevel.log)
    levels[0].backOffs = [Float](repeating: 0, count: probabilities.count)
    for index in 1..<max(counts.count, 1) {
      probabilities = extend(&levels, to: index, shorter: probabilities)
    }
    return levels
  }

  private func singleWords() -> [Double] {
    let keys = counts[0].keys
    let numbers = adjusted[0]
    var total = 0.0
    var kept = 0.0
    var kinds = 0.0
    for place in keys.indices where keys[place].lastWord != ReservedWord.start && numbers[place] > 0
    {
      total += Double(numbers[place])
      kept += discounts[0]?[numbers[place]] ?? 0
      kinds += 1
    }
    if discounts[0] == nil {
      kept = kinds
      total += kinds
    }
    // The reserved probability is shared by all words alike, including the unknown one.
    let share = kept / total / Double(keys.count - 1)
    return keys.indices.map { place in
      guard keys[place].lastWord != ReservedWord.start else { return 0 }
      let number = numbers[place]
      let discount = number > 0 ? discounts[0]?[number] ?? 0 : 0
      return (Double(number) - discount) / total + share
    }
  }

  /// Extends the levels by n-grams of one more word.
  ///
  /// - Returns: the probabilities of the n-grams that were kept.
  private func extend(
    _ levels: inout [NGramLevel], to index: Int, shorter: [Double]
  ) -> [Double] {
    let keys = counts[index].keys
    let numbers = adjusted[index]
    let least = index < leastCounts.count ? leastCounts[index] : 1
    var level = NGramLevel()
    var probabilities: [Double] = []
    var start = 0
    var contextPlace = 0
    while start < keys.count {
      let context = keys[start].prefix
      var end = start
      var total = 0.0
      var aside = 0.0
      while end < keys.count, keys[end].prefix == context {
        let number = Double(numbers[end])
        total += number
        if counts[index].counts[end] < least {
          aside += number
        } else {
          aside += discounts[index]?[numbers[end]] ?? 0
        }
        end += 1
      }
      if discounts[index] == nil {
        // One for each distinct continuation.
        aside += Double(end - start)
        total += Double(end - start)
      }
      let backOff = aside / total
      while contextPlace < levels[index - 1].keys.count,
        levels[index - 1].keys[contextPlace] < context
      { contextPlace += 1 }
      // Nothing can follow a dropped n-gram, because its continuations occur no more often.
      guard contextPlace < levels[index - 1].keys.count,
        levels[index - 1].keys[contextPlace] == context
      else {
        start = end
        continue
      }
      levels[index - 1].backOffs[contextPlace] = NGramLevel.log(backOff)
      for place in start..<end where counts[index].counts[place] >= least {
        let discount = discounts[index]?[numbers[place]] ?? 0
        let key = keys[place]
        let suffix = levels[index - 1].place(of: key.suffix(of: index + 1)).map { shorter[$0] } ?? 0
        let probability = (Double(numbers[place]) - discount) / total + backOff * suffix
        level.keys.append(key)
        level.logProbabilities.append(NGramLevel.log(probability))
        probabilities.append(probability)
      }
      start = end
    }
    level.backOffs = [Float](repeating: 0, count: level.keys.count)
    levels.append(level)
    return probabilities
  }
}

import SpeechConcurrency
import SpeechLab
import Testing

struct EstimateTests {
  @Test func `intervals contain the true value as often as they claim`() {
    var random = SeededNumbers(seed: 3)
    var held = (mean: 0, ratio: 0)
    for trial in 0..<200 {
      let values = (0..<60).map { _ in random.fraction() + random.fraction() }
      let mean = Estimate.ratio(of: values, by: values.map { _ in 1 }, seed: UInt64(trial))
      if mean.interval.contains(1) { held.mean += 1 }
      let words = (0..<60).map { _ in Double(1 + random.next(9)) }
      let errors = words.map { count in
        Double((0..<Int(count)).count { _ in random.fraction() < 0.2 })
      }
      let ratio = Estimate.ratio(of: errors, by: words, seed: UInt64(trial))
      if ratio.interval.contains(0.2) { held.ratio += 1 }
    }
    // 95 %, within the uncertainty of 200 trials.
    #expect((178...199).contains(held.mean), "\(held)")
    #expect((178...199).contains(held.ratio), "\(held)")
  }

  @Test func `medians and quantiles interpolate linearly`() {
    #expect(Estimate.median(of: [3, 1, 2]).value == 2)
    #expect(Estimate.median(of: [4, 1, 2, 3]).value == 2.5)
    #expect(Estimate.quantile(0.9, of: (0...10).map(Double.init)).value == 9)
    #expect(Estimate.median(of: []).count == 0)
    #expect(Estimate.ratio(of: [0], by: [0]).value == 0)
    let sample = (0..<40).map { Double($0 * $0) }
    #expect(Estimate.median(of: sample, seed: 4) == Estimate.median(of: sample, seed: 4))
    #expect(Estimate.median(of: sample).interval.contains(Estimate.median(of: sample).value))
  }

  /// Two runs over utterances of eight words, the second with a higher error rate.
  private static func comparison(
    _ count: Int, errorRate: Double, worse: Double, seed: UInt64
  ) -> RunComparison {
    var random = SeededNumbers(seed: seed)
    func run(_ rate: Double) -> [Int] {
      (0..<count).map { _ in (0..<8).count { _ in random.fraction() < rate } }
    }
    let before = run(errorRate)
    return RunComparison(
      before: before, after: run(errorRate + worse), words: before.map { _ in 8 })
  }

  @Test func `a regression of three points is significant, and random variation is not`() {
    // Both runs are drawn independently, which is harder than runs that share most errors.
    let alarms = (0..<20).count { seed in
      Self.comparison(1_200, errorRate: 0.10, worse: 0, seed: UInt64(seed)).isWorse()
    }
    #expect(alarms == 0)
    let found = (0..<20).count { seed in
      Self.comparison(1_200, errorRate: 0.10, worse: 0.03, seed: 100 + UInt64(seed)).isWorse()
    }
    #expect(found == 20)
    let same = RunComparison(before: [1, 0, 2], after: [1, 0, 2], words: [4, 4, 4])
    #expect(same.chance == 1 && same.difference == 0 && !same.isWorse(atLeast: 0))
    // Of the 2⁹ ways to swap nine changes, two give as large a difference.
    let nine = (0..<30).map { $0 < 9 ? 1 : 0 }
    let few = RunComparison(before: nine.map { _ in 0 }, after: nine, words: nine.map { _ in 4 })
    #expect(few.chance == 2.0 / 512 && !few.isWorse())
    let mixed = RunComparison(before: [0, 2, 1, 5], after: [3, 1, 1, 5], words: [4, 4, 4, 4])
    #expect(mixed.chance == 1)
    // By enumeration, and by the normal distribution that replaces it for large samples.
    let chances = [1_000, 1_001].map { half in
      let worse = (0..<2 * half).map { $0 < half + 50 ? 1 : 0 }
      return RunComparison(
        before: worse.map { 1 - $0 }, after: worse, words: worse.map { _ in 8 }
      ).chance
    }
    #expect(abs(chances[0] - 0.0268) < 0.0005 && abs(chances[1] - 0.0269) < 0.0005, "\(chances)")
    let better = RunComparison(
      before: Array(repeating: 2, count: 50), after: Array(repeating: 1, count: 50),
      words: Array(repeating: 8, count: 50))
    #expect(!better.isWorse() && better.difference == -0.125)
  }
}

struct WordComparisonTests {
  @Test func `a comparison shows and counts the differences`() {
    let comparison = WordComparison(said: "turn on the light", heard: "turn it on the lights")
    #expect(
      comparison.picture == """
        said   turn ** on the light
        heard  turn it on the lights
                    ++        ~~~~~~
        """)
    #expect(
      (comparison.hits, comparison.replaced, comparison.missing, comparison.added) == (3, 1, 0, 1))
    #expect(comparison.errorRate == 0.5)
    #expect(WordComparison(said: "", heard: "").errorRate == 0)
  }
}

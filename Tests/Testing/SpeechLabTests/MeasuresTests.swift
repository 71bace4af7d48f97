import SpeechLab
import TestSupport
import Testing

struct MeasuresTests {
  private func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  @Test(arguments: [
    ("a b c", "a b c", 0), ("a b c", "a x c", 1), ("a b c", "a c", 1), ("a c", "a b c", 1),
    ("", "", 0), ("", "a b", 2), ("a b", "", 2), ("a b c d", "b c d e", 2),
    ("turn on the light", "turn it off the lights", 3),
  ])
  func `an alignment has the fewest changes`(said: String, heard: String, errors: Int) {
    let alignment = Alignment(words(said), words(heard))
    #expect(alignment.errors == errors)
    #expect(alignment.count == words(said).count)
    #expect(Alignment.distance(words(said), words(heard)) == errors)
  }

  @Test func `the steps contain both sequences`() {
    var random = SplitMix(seed: 4)
    for _ in 0..<500 {
      let said = (0..<random.next(9)).map { _ in random.next(4) }
      let heard = (0..<random.next(9)).map { _ in random.next(4) }
      let steps = Alignment(said, heard).steps
      #expect(steps.compactMap(\.said) == said)
      #expect(steps.compactMap(\.heard) == heard)
      #expect(Alignment(said, heard).errors == Alignment.distance(heard, said))
    }
  }

  @Test func `rates count words and characters`() {
    var errors = ErrorRate()
    #expect(errors.rate == 0)
    errors.addWords(said: "Turn on the light", heard: "turn on  the lights")
    #expect((errors.errors, errors.count) == (1, 4))
    var characters = ErrorRate()
    characters.addCharacters(said: "a light", heard: "a lights")
    #expect((characters.errors, characters.count) == (1, 7))
  }

  /// The values are those of R's `binom.confint(…, methods = "wilson")`.
  @Test(arguments: [
    (18, 20, 0.6990, 0.9721), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (50, 100, 0.4038, 0.5962),
  ])
  func `intervals are Wilson intervals`(count: Int, total: Int, low: Double, high: Double) {
    let interval = Proportion(count, of: total).interval
    #expect(abs(interval.lowerBound - low) < 0.0001, "\(interval)")
    #expect(abs(interval.upperBound - high) < 0.0001, "\(interval)")
    #expect(interval.contains(Proportion(count, of: total).share))
  }

  @Test func `without trials the interval is everything`() {
    #expect(Proportion(0, of: 0).interval == 0...1)
    #expect(Proportion(0, of: 0).share == 0)
  }
}

import Foundation
import TestSupport
import Testing

@testable import SpeechLanguageModels

/// Sentences of invented words, some of which follow others and some of which are rare. The same in
/// every run, and in the few lines of Python that wrote them for KenLM.
private struct SeededText {
  let training: [[String]]
  let heldOut: [[String]]

  init() {
    var random = SplitMix(seed: 2026)
    let sentences = (0..<2200).map { _ in Self.sentence(&random) }
    training = Array(sentences[..<2000])
    heldOut = Array(sentences[2000...])
  }

  private static func sentence(_ random: inout SplitMix) -> [String] {
    let count = 3 + random.next(8)
    var last = 0
    return (0..<count).map { index in
      if index > 0, random.next(2) == 0 {
        last = (last * 7 + random.next(4)) % 3000
      } else {
        last = random.next(random.next(random.next(3000) + 1) + 1)
      }
      let letters = [last / 676, last / 26 % 26, last % 26].map { UInt8(97 + $0) }
      return String(decoding: letters, as: UTF8.self)
    }
  }

  func builder(order: Int) -> LanguageModelBuilder {
    var builder = LanguageModelBuilder(locale: english, order: order)
    for sentence in training { builder.add(words: sentence) }
    return builder
  }

  func score(_ model: LanguageModel) -> LanguageModelScore {
    var score = LanguageModelScore()
    for sentence in heldOut { model.add(sentence, to: &score) }
    return score
  }
}

private let english = Locale(identifier: "en_US")

@Suite struct LanguageModelTests {
  private func model(_ sentences: [String], order: Int = 3) throws -> LanguageModel {
    var builder = LanguageModelBuilder(locale: english, order: order)
    for sentence in sentences { builder.add(sentence) }
    return try builder.build()
  }

  private func temporary(_ name: String) -> URL {
    FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-\(name)")
  }

  /// The probabilities of all words after each context have to add up to one.
  private func expectProper(_ model: LanguageModel, _ contexts: [[String]]) {
    for context in contexts {
      let total = model.words.filter { $0 != "<s>" }
        .compactMap { model.logProbability(of: $0, after: context) }
        .reduce(0) { $0 + pow(10, $1) }
      #expect(abs(total - 1) < 1e-4, "after \(context)")
    }
  }

  // KenLM's lmplz of the Python package kenlm 0.3.0 (`lmplz -o N`, and `--prune 0 0 1`) built
  // models of the same text, and its module scored the held-out sentences with them.
  @Test(arguments: [
    (2, [], 419.62037064628475, 354.67188127134204),
    (3, [], 422.4232424148188, 357.3006237920941),
    (4, [], 422.57191451909665, 357.4454718361474),
    (3, [1, 1, 2], 420.93668858298116, 356.200682601099),
  ])
  func `the perplexity is KenLM's`(
    order: Int, least: [Int], all: Double, known: Double
  ) throws {
    let text = SeededText()
    var builder = text.builder(order: order)
    builder.leastCounts = least
    let model = try builder.build()
    #expect(model.smoothing.allSatisfy { $0 == .modifiedKneserNey })
    let score = text.score(model)
    #expect(score.unknownWordCount == 77)
    let withUnknown = try #require(score.perplexityWithUnknown)
    let withoutUnknown = try #require(score.perplexity)
    #expect(abs(withUnknown / all - 1) < 1e-5)
    #expect(abs(withoutUnknown / known - 1) < 1e-5)
  }

  @Test func `the probabilities of small texts add up to one with any smoothing`() throws {
    let sentences = ["turn the lights on", "turn the lights off", "close the door", "yes"]
    for order in 1...4 {
      for smoothing in [LanguageModelSmoothing.automatic, .wittenBell] {
        var builder = LanguageModelBuilder(locale: english, order: order)
        builder.smoothing = smoothing
        for sentence in sentences { builder.add(sentence) }
        let model = try builder.build()
        #expect(model.smoothing.contains(.wittenBell))
        expectProper(
          model, [[], ["<s>"], ["turn", "the"], ["<s>", "close", "the"], ["door", "yes"]])
      }
    }
    var builder = LanguageModelBuilder(locale: english)
    builder.smoothing = .modifiedKneserNey
    builder.add("yes")
    #expect(throws: LanguageModelError.self) { try builder.build() }
    let empty = LanguageModelBuilder(locale: english)
    #expect(throws: LanguageModelError.self) { try empty.build() }
  }

  @Test func `excluded and rare words are unknown`() throws {
    var builder = LanguageModelBuilder(locale: english)
    for sentence in ["open grafana", "open grafana", "open the window", "the end"] {
      builder.add(sentence)
    }
    let without = try builder.build(without: ["grafana"])
    #expect(!without.words.contains("grafana"))
    let unknown = try #require(without.logProbability(of: "<unk>", after: ["open"]))
    let end = try #require(without.logProbability(of: "end", after: ["open"]))
    #expect(unknown > end)
    expectProper(without, [["open"], ["open", "<unk>"], ["<s>", "open"]])
    builder.leastCounts = [2]
    let common = try builder.build()
    #expect(common.spokenWords == ["open", "grafana", "the"])
  }

  @Test func `a model is the same after a round trip through its files`() throws {
    let text = SeededText()
    for order in 1...4 {
      let model = try text.builder(order: order).build()
      let expected = try #require(text.score(model).perplexityWithUnknown)
      for name in ["model.lm", "model.lm.bin"] {
        let url = temporary(name)
        defer { try? FileManager.default.removeItem(at: url) }
        try model.write(to: url)
        let read = try LanguageModel(contentsOf: url)
        #expect(read.words == model.words)
        #expect(read.counts == model.counts)
        let perplexity = try #require(text.score(read).perplexityWithUnknown)
        #expect(abs(perplexity / expected - 1) < 1e-5, "\(name), \(order)")
        #expect(LanguageModelFile.words(of: url) == Set(model.words))
      }
    }
  }

  /// The numbers of words need more bits after 2,000 words, and not after three.
  @Test(arguments: [3, 2_000], ["lm", "lm.bin"])
  func `words are added to the file of a model`(count: Int, suffix: String) throws {
    let model = try SeededText().builder(order: 3).build()
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).\(suffix)")
    defer { try? FileManager.default.removeItem(at: file) }
    try model.write(to: file)
    let written = try LanguageModel(contentsOf: file)
    let new = (0..<count).map { "new\($0)" }
    let extended = try LanguageModel(LanguageModelAddition(new).data(of: file))
    #expect(extended.words == written.words + new.sorted())
    #expect(extended.counts.dropFirst() == written.counts.dropFirst())
    let average = -log10(Double(written.words.count))
    for context in [[], ["new1"], ["new2", "new0"]] {
      let found = try #require(extended.logProbability(of: "new0", after: context))
      #expect(abs(found - average) < 1e-4, "after \(context)")
    }
    for sentence in SeededText().heldOut.prefix(50) {
      for index in sentence.indices where written.words.contains(sentence[index]) {
        let context = Array(sentence[..<index].suffix(2))
        let before = try #require(written.logProbability(of: sentence[index], after: context))
        let after = try #require(extended.logProbability(of: sentence[index], after: context))
        #expect(abs(before - after) < 2e-4, "\(sentence[index]) after \(context)")
      }
    }
  }

  @Test func `a mixture has the weighted probabilities of both models`() throws {
    let lights = try model(["turn the lights on", "turn the lights off"])
    let doors = try model(["open the door", "close the door", "the door is open"])
    let mixed = lights.mixed(with: doors, share: 0.25)
    func probability(_ model: LanguageModel, _ word: String, _ context: [String]) -> Double {
      model.logProbability(of: word, after: context).map { pow(10, $0) } ?? 0
    }
    for (word, context) in [
      ("lights", ["turn", "the"]), ("door", ["open", "the"]), ("door", ["the"]),
    ] {
      let expected =
        0.75 * probability(lights, word, context) + 0.25 * probability(doors, word, context)
      #expect(abs(probability(mixed, word, context) - expected) < 1e-6, "\(word)")
    }
    expectProper(mixed, [[], ["the"], ["<s>"], ["turn", "the"], ["open", "the"], ["is"]])
    #expect(Set(mixed.words) == Set(lights.words + doors.words))
  }

  @Test func `mixing in terms changes little else`() throws {
    let base = try model(["open the window", "close the window", "call me later", "open it"])
    let terms = TermModel.model(of: [["grafana"], ["home", "assistant"]])
    let boosted = base.mixed(with: terms, share: 0.1)
    let term = try #require(boosted.logProbability(of: "grafana", after: ["open"]))
    #expect(term > -2)
    let rest = try #require(boosted.logProbability(of: "assistant", after: ["home"]))
    #expect(rest > -1.1)
    let before = try #require(base.logProbability(of: "window", after: ["open", "the"]))
    let after = try #require(boosted.logProbability(of: "window", after: ["open", "the"]))
    #expect(abs(after - before) < 0.06)
    expectProper(boosted, [[], ["open"], ["home"], ["<s>"], ["home", "assistant"]])
  }

  // MARK: - Broken files

  private static let small = """
    \\data\\
    ngram 1=4
    ngram 2=2

    \\1-grams:
    -1	<unk>
    -99	<s>	-0.3
    -0.5	</s>
    -0.4	hello	-0.2

    \\2-grams:
    -0.1	<s> hello
    -0.2	hello </s>

    \\end\\

    """

  @Test(arguments: [
    ("ngram 2=2", "ngram 3=2", 3, "n-grams of 2 words should"),
    ("ngram 2=2", "ngram 2=x", 3, "is not like"),
    ("ngram 2=2", "ngram 2=3", 11, "announces 3"),
    ("ngram 2=2", "ngram 2=1", 13, "more n-grams"),
    ("-0.5\t</s>", "0.5\t</s>", 8, "not above 0"),
    ("-0.5\t</s>", "-0,5\t</s>", 8, "not a logarithm"),
    ("-0.4\thello\t-0.2", "-0.4", 9, "1 fields"),
    ("-0.4\thello\t-0.2", "-0.4\t</s>", 9, "twice"),
    ("<s> hello", "<s> hullo", 12, "“hullo”"),
    ("\\end\\", "", 15, "something may be missing"),
  ])
  func `an error in an ARPA file has its line`(
    old: String, new: String, line: Int, reason: String
  ) throws {
    #expect(try LanguageModel(Data(Self.small.utf8)).counts == [4, 2])
    let text = Self.small.replacingOccurrences(of: old, with: new)
    let error = #expect(throws: LanguageModelError.self) { try LanguageModel(Data(text.utf8)) }
    #expect(error?.line == line, "\(error?.localizedDescription ?? "")")
    #expect(error?.reason.contains(reason) == true, "\(error?.localizedDescription ?? "")")
  }

  @Test func `n-grams whose parts are missing in a file are read`() throws {
    let text = """
      \\data\\
      ngram 1=4
      ngram 2=1
      ngram 3=1

      \\1-grams:
      -99 <s> -0.3
      -0.5 </s>
      -0.4 a -0.2
      -0.6 b -0.1

      \\2-grams:
      -0.1 <s> a -0.25

      \\3-grams:
      -0.05 a b </s>

      \\end\\
      """
    let model = try LanguageModel(Data(text.utf8))
    #expect(model.counts == [4, 3, 1])
    let backedOff = try #require(model.logProbability(of: "b", after: ["a"]))
    #expect(abs(backedOff + 0.8) < 1e-6)
    let behind = try #require(model.logProbability(of: "</s>", after: ["a", "b"]))
    #expect(abs(behind + 0.05) < 1e-6)
  }

  @Test func `any bytes give a model or an error`() throws {
    var hostile = HostileBytes(
      [Self.small],
      snippets: [
        "\\", "\\2-grams:\n", "\\data\\\n", "ngram 2=99999999999\n", "-99", "nan", "inf", "\t\t",
      ],
      seed: 11)
    let url = temporary("fuzz.lm.bin")
    defer { try? FileManager.default.removeItem(at: url) }
    try model(["a b", "b c a", "c"], order: 2).write(to: url)
    let binary = [UInt8](try Data(contentsOf: url))
    var random = SplitMix(seed: 12)
    for round in 0..<Endurance.count(full: 2_000, short: 200) {
      _ = try? LanguageModel(Data(hostile.next()))
      guard round % 100 == 0 else { continue }
      var bytes = binary
      for _ in 0...random.next(4) {
        // The tables in the middle are numbers, whatever bytes they hold.
        let place = random.next(2) == 0 ? random.next(40) : bytes.count - 1 - random.next(200)
        bytes[max(place, 0)] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next(4) == 0 { bytes.removeLast(random.next(bytes.count)) }
      _ = try? LanguageModel(Data(bytes))
    }
  }
}

#if Espeak
import Foundation
import SpeechKit

/// Measures derived pronunciations of held-out words: their errors, their cost, and the recognition
/// of the words.
struct PronunciationBenchmark: Benchmark {
  let name = "pronunciation"
  let summary = "derived pronunciations of 1,000 held-out words, beside Flite's and eSpeak NG's own"

  private let locale = Locale(identifier: "en-US")

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let held = try HeldOutWords()
    return try await errors(held, bench) + times(held, bench) + recognition(held, bench)
  }

  // MARK: - Phones

  private func errors(_ held: HeldOutWords, _ bench: Workbench) async throws -> [BenchmarkRow] {
    let words = try pronouncer(held, bench)
    let flite = FliteEngine()
    var (ours, anyOfThree, alone) = (PhoneErrors(), PhoneErrors(), PhoneErrors())
    var (plain, rules, lexicon) = (PhoneErrors(), PhoneErrors(), PhoneErrors())
    for word in held.words {
      let reference = held.dictionary[word] ?? []
      let explanation = try words.explain(word)
      let made = (explanation.pronunciations + explanation.others).map(\.phones)
      ours.add(made: Array(made.prefix(1)), reference: reference)
      anyOfThree.add(made: Array(made.prefix(3)), reference: reference)
      let spelled = try EspeakPronunciations().pronunciations(of: word, locale: locale)
      alone.add(made: spelled.prefix(1).map(\.phones), reference: reference)
      plain.add(made: [try EspeakPronunciations().plainPhones(of: word)], reference: reference)
      rules.add(made: [try await flite.phones(of: word, byRulesAlone: true)], reference: reference)
      lexicon.add(
        made: [try await flite.phones(of: word, byRulesAlone: false)], reference: reference)
    }
    func rows(
      _ what: String, _ errors: PhoneErrors, _ peer: String, _ other: PhoneErrors,
      note: String? = nil
    ) -> [BenchmarkRow] {
      [
        BenchmarkRow(
          benchmark: name, what: "\(what): phone errors", unit: .percent,
          ours: Samples(errors.rate),
          peerName: peer, peer: Samples(other.rate), note: note),
        BenchmarkRow(
          benchmark: name, what: "\(what): wrong words", unit: .percent,
          ours: Samples(errors.wrongWords), peerName: peer, peer: Samples(other.wrongWords)),
      ]
    }
    return rows(
      "first pronunciation", ours, "Flite's rules", rules,
      note:
        "Flite's rules were learnt from a CMUdict with these words, SpeechKit's table without them")
      + rows("first pronunciation, from spelling alone", alone, "eSpeak NG, phone by phone", plain)
      + rows(
        "best of three", anyOfThree, "Flite's dictionary", lexicon,
        note: "the dictionary is a CMUdict with most of these words")
  }

  /// Returns the pronunciations with a dictionary that lacks the held-out words.
  private func pronouncer(_ held: HeldOutWords, _ bench: Workbench) throws -> PocketSphinxWords {
    let dictionary = bench.folder.appendingPathComponent("without.dict")
    try held.writeDictionary(without: held.words, to: dictionary)
    var configuration = PocketSphinxConfiguration(
      dictionary: dictionary, userDictionary: .off)
    configuration = configuration.withStandardPronunciations
    return try PocketSphinxWords(configuration: configuration, locale: locale)
  }

  // MARK: - Time

  private func times(_ held: HeldOutWords, _ bench: Workbench) throws -> [BenchmarkRow] {
    let words = try pronouncer(held, bench)
    _ = try words.explain("warm")
    let times = try held.words.map { word in
      try ContinuousClock().measure { _ = try words.explain(word) } / .milliseconds(1)
    }
    var added: [Double] = []
    var configuration = PocketSphinxConfiguration(
      search: .grammar("#JSGF V1.0; grammar g; public <a> = hello | goodbye;"),
      dictionary: bench.folder.appendingPathComponent("without.dict"), userDictionary: .off)
    configuration = configuration.withStandardPronunciations
    let decoder = try PocketSphinxDecoder(configuration: configuration, locale: locale)
    for word in held.words.prefix(100) {
      added.append(
        try ContinuousClock().measure { _ = try decoder.add(word) } / .milliseconds(1))
    }
    var manyTimes: [Double] = []
    var all = "#JSGF V1.0; grammar g; public <a> = \(held.words.joined(separator: " | "));"
    all = all.replacingOccurrences(of: "\n", with: " ")
    configuration.search = .grammar(all)
    manyTimes.append(
      try ContinuousClock().measure {
        _ = try PocketSphinxDecoder(configuration: configuration, locale: locale)
      } / .milliseconds(1))
    configuration.search = .grammar("#JSGF V1.0; grammar g; public <a> = hello | goodbye;")
    let base = try ContinuousClock().measure {
      _ = try PocketSphinxDecoder(configuration: configuration, locale: locale)
    }
    return [
      BenchmarkRow(
        benchmark: name, what: "deriving a pronunciation", unit: .milliseconds,
        ours: Samples(times),
        goal: .value(50)),
      BenchmarkRow(
        benchmark: name, what: "deriving the slowest pronunciation", unit: .milliseconds,
        ours: Samples(times.max() ?? 0), goal: .value(50)),
      BenchmarkRow(
        benchmark: name, what: "adding a word to a running decoder", unit: .milliseconds,
        ours: Samples(added), goal: .value(50)),
      BenchmarkRow(
        benchmark: name, what: "loading a grammar of 1,000 unknown words", unit: .milliseconds,
        ours: Samples(manyTimes), peerName: "of two known words",
        peer: Samples(base / .milliseconds(1))),
    ]
  }

  // MARK: - Recognition

  /// Compares a hundred words that the dictionary lacks with a hundred that it has, and with the
  /// same words in the dictionary; in a command, by four voices.
  private func recognition(
    _ held: HeldOutWords, _ bench: Workbench
  ) async throws -> [BenchmarkRow] {
    let fit = held.words.filter { $0.count >= 4 }
    let lacking = Array(fit.prefix(100))
    let known = Array(fit.dropFirst(100).prefix(100))
    let full = bench.folder.appendingPathComponent("full.dict")
    try held.writeDictionary(without: [], to: full)
    let without = bench.folder.appendingPathComponent("lacking.dict")
    try held.writeDictionary(without: lacking, to: without)
    let lackingFiles = try await recordings(of: lacking, named: "lacking", bench)
    let knownFiles = try await recordings(of: known, named: "known", bench)
    let made = try misses(lacking, lackingFiles, dictionary: without, bench)
    let comparable = try misses(known, knownFiles, dictionary: without, bench)
    let same = try misses(lacking, lackingFiles, dictionary: full, bench)
    let note = "“please call … now”, a hundred words, four voices of Flite"
    return [
      BenchmarkRow(
        benchmark: name, what: "commands with unknown words, misrecognised", unit: .percent,
        ours: Samples(made),
        peerName: "other words, known", peer: Samples(comparable), goal: .difference(5),
        note: note),
      BenchmarkRow(
        benchmark: name, what: "commands with unknown words, misrecognised", unit: .percent,
        ours: Samples(made),
        peerName: "the same words, known", peer: Samples(same), goal: .difference(5)),
    ]
  }

  private func recordings(
    of words: [String], named name: String, _ bench: Workbench
  ) async throws -> [Recording] {
    let voice = FliteEngine()
    var recordings: [Recording] = []
    for speaker in ["slt", "rms", "awb", "kal"] {
      for word in words {
        let text = "please call \(word) now"
        let sound = try await voice.render(
          voice.makeRequest(text: text, voiceId: speaker), configuration: .default)
        recordings.append(
          try Recording(
            sound, named: "\(name)-\(speaker)-\(word)", in: bench.folder, transcript: text))
      }
    }
    return recordings
  }

  /// Returns the percentage of commands that were not recognised word for word.
  private func misses(
    _ words: [String], _ recordings: [Recording], dictionary: URL, _ bench: Workbench
  ) throws -> Double {
    let grammar = bench.folder.appendingPathComponent("call-\(UUID().uuidString).gram")
    let text = """
      #JSGF V1.0;
      grammar call;
      public <call> = please call ( \(words.joined(separator: " | ")) ) now;

      """
    try text.write(to: grammar, atomically: true, encoding: .utf8)
    let list = try recordings.writeList(in: bench.folder).path
    let worker = bench.worker([Worker.command, grammar.path, dictionary.path, list])
    let heard = Worker.heard(in: try worker.run().output)
    let wrong = recordings.count { heard[$0.name] != $0.transcript }
    return 100 * Double(wrong) / Double(recordings.count)
  }
}
#endif

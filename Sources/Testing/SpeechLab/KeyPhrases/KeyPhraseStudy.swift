import SpeechConcurrency

/// Finds out how sure one should be of having heard a key phrase: has it said by many voices over noise, and
/// beside it other speech — everyday English, commands of other programs, and words that sound like it —, and
/// looks at the confidence of what is heard.
///
/// ```swift
/// let report = try await KeyPhraseStudy("hey computer").run()
/// print(report.tuned(falseAlarmsPerHour: 1) ?? "none")   // hey computer //0.72/
/// ```
public struct KeyPhraseStudy: Sendable {
  /// What is tried.
  public let phrase: KeyPhrase
  /// Who speaks, and over what.
  public var conditions: SpeakingConditions
  /// How many sentences of each other kind are said at most.
  public var limit: Int
  /// The language.
  public var locale: Locale
  /// The name of the recogniser in the catalogue; empty for its first one.
  public var recogniser: String

  /// A study of a phrase; its own least confidence does not matter.
  public init(
    _ phrase: KeyPhrase, conditions: SpeakingConditions = SpeakingConditions(), limit: Int = 60,
    locale: Locale = Locale(identifier: "en-US"), recogniser: String = ""
  ) {
    self.phrase = phrase
    self.conditions = conditions
    self.limit = limit
    self.locale = locale
    self.recogniser = recogniser
  }

  /// Speaks and listens. The same phrase, conditions and limit give the same report.
  ///
  /// - Parameter progress: called with the share that is done, from 0 to 1.
  /// - Throws: `SpeechRecognitionError` if the phrase cannot be listened for, what voices throw, and
  ///   `CancellationError` when the task is cancelled.
  public func run(
    progress: @escaping @Sendable (Double) async -> Void = { _ in }
  ) async throws -> KeyPhraseReport {
    var open = phrase
    open.minimumConfidence = 0
    let settings = RecogniserSettings(search: .keyPhrases([open.description]))
    let recogniser = try SpeechCatalog.current.recogniser(recogniser, settings: settings)
    let lines = try self.lines()
    let heard = try await SpokenTrials(lines: lines.map(\.text), conditions: conditions)
      .recognise(with: recogniser, locale: locale, progress: progress)
    return KeyPhraseReport(
      phrase: phrase, conditions: conditions,
      trials: heard.map { trial, outcome in
        KeyPhraseReport.Trial(
          kind: lines[trial.line].kind, said: lines[trial.line].text, speaker: trial.speaker,
          level: trial.level, seconds: outcome.seconds,
          confidence: outcome.text.isEmpty ? nil : outcome.confidence)
      })
  }

  private func lines() throws -> [(kind: KeyPhraseReport.Kind, text: String)] {
    let own = phrase.text.lowercased()
    var random = SeededNumbers(seed: conditions.seed, part: "other speech")
    func others(_ all: [String]) -> [String] {
      Array(
        all.filter { !" \($0) ".contains(" \(own) ") }.shuffled(using: &random).prefix(limit))
    }
    // By itself, behind a pause, and with a command in the same breath.
    let said = [own, "well, \(own)", "\(own), turn on the lights", "\(own) what time is it"]
    return said.map { (.phrase, $0) } + others(OrdinaryEnglish.sentences).map { (.ordinary, $0) }
      + others(OrdinaryEnglish.commands).map { (.otherCommand, $0) }
      + (try soundingAlike()).map { (.alike, $0) }
  }

  /// Words that sound nearly like those of the phrase, in their place.
  private func soundingAlike() throws -> [String] {
    let own = phrase.text.lowercased().split(separator: " ").map(String.init)
    let dictionary = try PocketSphinxWords(
      configuration: PocketSphinxConfiguration().withStandardPronunciations, locale: locale)
    var lines: [String] = []
    for (place, word) in own.enumerated() {
      guard let phones = try dictionary.explain(word).pronunciations.first?.phones else { continue }
      let near = dictionary.words(phones: max(1, phones.count - 1)...phones.count + 1)
        .map { (word: $0.word, errors: Alignment(phones, $0.phones).errors) }
        // One that differs by less than a third is the same to most ears, and often the same word.
        .filter {
          $0.errors * 3 >= phones.count && $0.errors * 2 <= phones.count && $0.word != word
        }
        .sorted { ($0.errors, $0.word) < ($1.errors, $1.word) }
      for other in near.prefix(max(1, limit / 3 / own.count)) {
        var words = own
        words[place] = other.word
        lines.append(words.joined(separator: " "))
      }
    }
    return lines
  }
}

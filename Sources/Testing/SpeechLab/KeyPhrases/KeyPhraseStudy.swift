import SpeechConcurrency

/// Measures the confidence from which on a key phrase should be accepted. Many voices speak it over
/// noise, and also everyday English, commands of other programs and words that sound similar.
///
/// ```swift
/// let report = try await KeyPhraseStudy("hey computer").run()
/// print(report.tuned(falseAlarmsPerHour: 1) ?? "none")   // hey computer //0.72/
/// ```
public struct KeyPhraseStudy: Sendable {
  /// The phrase under test.
  public let phrase: KeyPhrase
  /// The speakers and the noise.
  public var conditions: SpeakingConditions
  /// The maximum number of sentences of each other kind.
  public var limit: Int
  /// The language of the phrase.
  public var locale: Locale
  /// The name of the recogniser in the catalogue; empty for the default one.
  public var recogniser: String

  /// Creates a study of a phrase. The minimum confidence of the phrase itself is ignored.
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

  /// Runs the study. The same phrase, conditions and limit give the same report.
  ///
  /// - Parameter progress: Called with the completed share, from 0 to 1.
  /// - Throws: `SpeechRecognitionError` if the phrase cannot be spotted, the errors of voices, and
  ///   `CancellationError` if the task is cancelled.
  public func run(
    progress: @escaping @Sendable (Double) async -> Void = { _ in }
  ) async throws -> KeyPhraseReport {
    var open = phrase
    open.minimumConfidence = 0
    let settings = RecogniserSettings(search: .keyPhrases([open.description]))
    let recogniser = try SpeechCatalog.current.recogniser(recogniser, settings: settings)
    let lines = try self.lines()
    let heard = try await conditions.recognise(
      lines.map(\.text), with: recogniser, locale: locale, progress: progress)
    return KeyPhraseReport(
      phrase: phrase, conditions: conditions,
      trials: heard.map { trial, outcome in
        KeyPhraseReport.Trial(
          kind: lines[trial.line].kind, said: lines[trial.line].text, speaker: trial.voice,
          level: trial.scene, seconds: outcome.seconds,
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
    // Alone, after a pause, and with a command in the same breath.
    let said = [own, "well, \(own)", "\(own), turn on the lights", "\(own) what time is it"]
    return said.map { (.phrase, $0) } + others(OrdinaryEnglish.sentences).map { (.ordinary, $0) }
      + others(OrdinaryEnglish.commands).map { (.otherCommand, $0) }
      + (try soundingAlike()).map { (.alike, $0) }
  }

  /// Returns words that sound similar to those of the phrase, in their place.
  private func soundingAlike() throws -> [String] {
    let own = phrase.text.lowercased().split(separator: " ").map(String.init)
    let dictionary = try PocketSphinxWords(
      configuration: PocketSphinxConfiguration().withStandardPronunciations, locale: locale)
    var lines: [String] = []
    for (place, word) in own.enumerated() {
      guard let phones = try dictionary.explain(word).pronunciations.first?.phones else { continue }
      let near = dictionary.words(phones: max(1, phones.count - 1)...phones.count + 1)
        .map { (word: $0.word, errors: Alignment(phones, $0.phones).errors) }
        // Words that differ by less than a third sound the same to most ears, and often are the
        // same word.
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

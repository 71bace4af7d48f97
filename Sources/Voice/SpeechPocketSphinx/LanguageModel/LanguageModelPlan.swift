import Foundation
import SpeechCore

/// How a language model is made of an app's own sentences and terms, with the dictionary that it needs.
///
/// ```swift
/// var plan = LanguageModelPlan(
///   configuration: PocketSphinxConfiguration().withStandardPronunciations,
///   locale: Locale(identifier: "en_US"))
/// plan.sentenceFiles = [URL(filePath: "sentences.txt")]
/// plan.generalShare = 0.3
/// let made = try plan.build(in: URL(filePath: "home-model"))
/// print(made.unpronounceable)
/// ```
public struct LanguageModelPlan: Sendable {
  /// What knows the general model and how words are said.
  public var configuration: PocketSphinxConfiguration
  /// The language.
  public var locale: Locale
  /// Sentences, beside those of files.
  public var sentences: [String] = []
  /// Text files with a sentence in each line.
  public var sentenceFiles: [URL] = []
  /// The length of the longest chains, from 1 to 4.
  public var order = 3
  /// How often a chain has to occur to be kept; see `LanguageModelBuilder.leastCounts`.
  public var leastCounts: [Int] = []
  /// How likelihood is set aside for what the sentences do not show.
  public var smoothing = LanguageModelSmoothing.automatic
  /// How much of each likelihood is the general model's, from 0 to 1; `nil` leaves it out, so that no other
  /// words are heard than those of the sentences. Without sentences it is the whole.
  public var generalShare: Double?
  /// Names, products and phrases to be made likelier wherever they come in a sentence.
  public var terms: [String] = []
  /// How much of each likelihood is that of the terms, from 0 to 1.
  public var termShare = Self.usualTermShare

  /// The share that was found to have terms heard and to leave the rest as it is.
  public static let usualTermShare = 0.05

  /// A plan without sentences and terms yet.
  public init(configuration: PocketSphinxConfiguration, locale: Locale) {
    self.configuration = configuration
    self.locale = locale
  }

  /// Makes the model and writes it into a folder, which need not be there.
  ///
  /// - Throws: `LanguageModelError` if the sentences cannot be read or are none, or the folder cannot be
  ///   written; `SpeechRecognitionError.recognitionFailed` if the general model is needed and missing, or no
  ///   model of the language is there; `CancellationError` if the task is cancelled.
  public func build(in folder: URL) throws -> LanguageModelReport {
    var dictionary = GrowingDictionary(
      words: try PocketSphinxWords(configuration: configuration, locale: locale))
    var report = LanguageModelReport()
    var model = try ownModel(&report, &dictionary)
    if generalShare != nil || model == nil {
      let general = try generalModel()
      // Of what is unknown here, nobody has asked for anything.
      _ = try dictionary.add(general.spokenWords)
      model = model.map { general.mixed(with: $0, share: 1 - (generalShare ?? 1)) } ?? general
    }
    try addTerms(to: &model, &report, &dictionary)
    guard let model else { return report }
    try Task.checkCancellation()
    try LanguageModelFolder.write(
      model, pronunciations: dictionary.pronunciations, to: folder)
    report.vocabulary = model.spokenWords.count
    report.counts = model.counts
    return report
  }

  private func addTerms(
    to model: inout LanguageModel?, _ report: inout LanguageModelReport,
    _ dictionary: inout GrowingDictionary
  ) throws {
    let normalizer = SentenceNormalizer(locale: locale)
    let chains = terms.map { normalizer.words(of: $0) }.filter { !$0.isEmpty }
    let added = try dictionary.add(chains.flatMap { $0 })
    report.madeUp = Set(report.madeUp).union(added.madeUp).sorted()
    report.unpronounceable = Set(report.unpronounceable).union(added.unknown).sorted()
    let usable = chains.filter { added.unknown.isDisjoint(with: $0) }
    report.termCount = usable.count
    guard !usable.isEmpty else { return }
    model = model?.mixed(with: TermModel.model(of: usable), share: termShare)
  }

  /// The model of the sentences; `nil` if none are asked for, but terms.
  private func ownModel(
    _ report: inout LanguageModelReport, _ dictionary: inout GrowingDictionary
  ) throws -> LanguageModel? {
    if sentences.isEmpty, sentenceFiles.isEmpty, !terms.isEmpty { return nil }
    var builder = LanguageModelBuilder(locale: locale, order: order)
    builder.leastCounts = leastCounts
    builder.smoothing = smoothing
    for sentence in sentences { builder.add(sentence) }
    for file in sentenceFiles { try builder.add(contentsOf: file) }
    let added = try dictionary.add(builder.vocabulary)
    let model = try builder.build(without: added.unknown)
    report.sentenceCount = builder.sentenceCount
    report.wordCount = builder.wordCount
    report.smoothing = model.smoothing
    report.madeUp = added.madeUp.sorted()
    report.unpronounceable = added.unknown.sorted()
    return model
  }

  private func generalModel() throws -> LanguageModel {
    let model = try PocketSphinxModel.find(for: locale, in: configuration.modelFolder)
    guard let url = configuration.languageModel ?? model.languageModel else {
      throw SpeechRecognitionError.recognitionFailed(
        "The model in “\(model.folder.path)” has no language model to mix with. Name one, or leave the mixing "
          + "out.")
    }
    return try LanguageModel(contentsOf: url)
  }
}

/// The pronunciations that a model's words come to have.
private struct GrowingDictionary {
  let words: PocketSphinxWords
  private(set) var pronunciations: [String: [[String]]] = [:]

  init(words: PocketSphinxWords) { self.words = words }

  /// - Returns: which of these words had to be made up, and of which nothing is known.
  mutating func add(
    _ all: [String]
  ) throws -> (madeUp: Set<String>, unknown: Set<String>) {
    let new = all.filter { pronunciations[$0] == nil }
    let found = try words.pronunciations(of: new)
    pronunciations.merge(found.all) { first, _ in first }
    return (found.madeUp, Set(new.filter { found.all[$0] == nil }))
  }
}

/// What came of a `LanguageModelPlan`.
///
/// ```swift
/// let made = try plan.build(in: folder)
/// print(made.vocabulary, made.madeUp)
/// ```
public struct LanguageModelReport: Sendable, Hashable, Codable {
  /// How many sentences there were; empty ones are none.
  public var sentenceCount = 0
  /// How many words they had.
  public var wordCount = 0
  /// How many terms were made likelier.
  public var termCount = 0
  /// How many different words the model knows.
  public var vocabulary = 0
  /// How many chains of each length the model knows, beginning with single words.
  public var counts: [Int] = []
  /// How the sentences' chains of each length were smoothed; none without sentences.
  public var smoothing: [LanguageModelSmoothing] = []
  /// Words whose pronunciation was made up, because the dictionary lacks them.
  public var madeUp: [String] = []
  /// Words that nothing is known of how to say, which the model therefore does not know; set their
  /// pronunciations, and build again.
  public var unpronounceable: [String] = []

  /// A report of nothing.
  public init() {}
}

import Foundation
import SpeechCore
import SpeechLanguageModels

/// Builds a language model from an app's own sentences and terms, with the dictionary that it
/// needs.
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
  /// The source of the general model and of the pronunciations.
  public var configuration: PocketSphinxConfiguration
  /// The language of the sentences.
  public var locale: Locale
  /// The sentences, in addition to those of the files.
  public var sentences: [String] = []
  /// Text files with a sentence in each line.
  public var sentenceFiles: [URL] = []
  /// The length of the longest n-grams, from 1 to 4.
  public var order = 3
  /// The counts that keep an n-gram; see `LanguageModelBuilder.leastCounts`.
  public var leastCounts: [Int] = []
  /// The smoothing, which reserves probability for n-grams that do not occur.
  public var smoothing = LanguageModelSmoothing.automatic
  /// The general model's share of each probability, from 0 to 1; `nil` leaves it out, so that only
  /// the words of the sentences are recognised. Without sentences it is the whole model.
  public var generalShare: Double?
  /// Names, products and phrases whose probability is raised wherever they occur in a sentence.
  public var terms: [String] = []
  /// The terms' share of each probability, from 0 to 1.
  public var termShare = Self.defaultTermShare

  /// The default share, measured to make terms recognised and to leave the rest unchanged.
  public static let defaultTermShare = 0.05

  /// Creates a plan without sentences and terms.
  public init(configuration: PocketSphinxConfiguration, locale: Locale) {
    self.configuration = configuration
    self.locale = locale
  }

  /// Builds the model and writes it to a folder, which is created if needed.
  ///
  /// - Throws: `LanguageModelError` if the sentences cannot be read or are missing, or the folder
  ///   cannot be written; `SpeechRecognitionError.recognitionFailed` if the general model is needed
  ///   and missing, or there is no model of the language; `CancellationError` if the task is
  ///   cancelled.
  public func build(in folder: URL) throws -> LanguageModelReport {
    var dictionary = GrowingDictionary(
      words: try PocketSphinxWords(configuration: configuration, locale: locale))
    var report = LanguageModelReport()
    var model = try ownModel(&report, &dictionary)
    if generalShare != nil || model == nil {
      let general = try generalModel()
      // The user did not ask for these words, so unknown ones are not reported.
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
    report.derived = Set(report.derived).union(added.derived).sorted()
    report.unpronounceable = Set(report.unpronounceable).union(added.unknown).sorted()
    let usable = chains.filter { added.unknown.isDisjoint(with: $0) }
    report.termCount = usable.count
    guard !usable.isEmpty else { return }
    model = model?.mixed(with: TermModel.model(of: usable), share: termShare)
  }

  /// The model of the sentences; `nil` if there are only terms.
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
    report.derived = added.derived.sorted()
    report.unpronounceable = added.unknown.sorted()
    return model
  }

  private func generalModel() throws -> LanguageModel {
    let model = try PocketSphinxModel.find(for: locale, in: configuration.modelFolder)
    guard let url = configuration.languageModel ?? model.languageModel else {
      throw SpeechRecognitionError.recognitionFailed(
        "The model in “\(model.folder.path)” has no language model to mix with. Name one, "
          + "or leave out the general model.")
    }
    return try LanguageModel(contentsOf: url)
  }
}

private struct GrowingDictionary {
  let words: PocketSphinxWords
  private(set) var pronunciations: [String: [[String]]] = [:]

  /// - Returns: the words whose pronunciations were derived, and those without a known
  ///   pronunciation.
  mutating func add(
    _ all: [String]
  ) throws -> (derived: Set<String>, unknown: Set<String>) {
    let new = all.filter { pronunciations[$0] == nil }
    let found = try words.pronunciations(of: new)
    pronunciations.merge(found.all) { first, _ in first }
    return (found.derived, Set(new.filter { found.all[$0] == nil }))
  }
}

/// The result of building a `LanguageModelPlan`.
///
/// ```swift
/// let made = try plan.build(in: folder)
/// print(made.vocabulary, made.derived)
/// ```
public struct LanguageModelReport: Sendable, Hashable, Codable {
  /// The number of sentences, without empty ones.
  public var sentenceCount = 0
  /// The number of their words.
  public var wordCount = 0
  /// The number of terms whose probability was raised.
  public var termCount = 0
  /// The number of different words of the model.
  public var vocabulary = 0
  /// The numbers of n-grams of each length in the model, beginning with single words.
  public var counts: [Int] = []
  /// The smoothing of the n-grams of each length; empty without sentences.
  public var smoothing: [LanguageModelSmoothing] = []
  /// The words whose pronunciation was derived, because the dictionary lacks them.
  public var derived: [String] = []
  /// The words without a known pronunciation, which the model therefore does not contain. Set their
  /// pronunciations, and build again.
  public var unpronounceable: [String] = []

  /// Creates an empty report.
  public init() {}
}

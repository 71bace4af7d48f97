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
    let words = try PocketSphinxWords(configuration: configuration, locale: locale)
    var report = LanguageModelReport()
    var pronunciations: [String: [[String]]] = [:]

    func pronounce(_ all: [String]) throws -> Set<String> {
      let new = all.filter { LanguageModel.isSpoken($0) && pronunciations[$0] == nil }
      let found = try words.pronunciations(of: new)
      pronunciations.merge(found.all) { first, _ in first }
      report.madeUp.formUnion(found.madeUp)
      return Set(new.filter { found.all[$0] == nil })
    }

    var model = try ownModel(&report, without: pronounce)
    if generalShare != nil || model == nil {
      let general = try generalModel()
      let own = report.madeUp
      _ = try pronounce(general.spokenWords)
      report.madeUp = own
      model = model.map { general.mixed(with: $0, share: 1 - (generalShare ?? 1)) } ?? general
    }
    let boosted = terms.map { SentenceNormalizer(locale: locale).words(of: $0) }
      .filter { !$0.isEmpty }
    if !boosted.isEmpty {
      let unknown = try pronounce(boosted.flatMap { $0 })
      report.unpronounceable.formUnion(unknown)
      let usable = boosted.filter { unknown.isDisjoint(with: $0) }
      report.termCount = usable.count
      if !usable.isEmpty {
        model = model?.mixed(with: TermModel.model(of: usable), share: termShare)
      }
    }
    guard let model else { return report }
    try Task.checkCancellation()
    try LanguageModelFolder.write(model, pronunciations: pronunciations, to: folder)
    report.vocabulary = model.spokenWords.count
    report.counts = model.counts
    return report
  }

  /// The model of the sentences; `nil` if none are asked for, but terms.
  private func ownModel(
    _ report: inout LanguageModelReport, without pronounce: ([String]) throws -> Set<String>
  ) throws -> LanguageModel? {
    if sentences.isEmpty, sentenceFiles.isEmpty, !terms.isEmpty { return nil }
    var builder = LanguageModelBuilder(locale: locale, order: order)
    builder.leastCounts = leastCounts
    builder.smoothing = smoothing
    for sentence in sentences { builder.add(sentence) }
    for file in sentenceFiles { try builder.add(contentsOf: file) }
    let unknown = try pronounce(builder.vocabulary)
    let model = try builder.build(without: unknown)
    report.sentenceCount = builder.sentenceCount
    report.wordCount = builder.wordCount
    report.smoothing = model.smoothing
    report.unpronounceable = unknown
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

/// What came of a `LanguageModelPlan`.
///
/// ```swift
/// let made = try plan.build(in: folder)
/// print(made.vocabulary, made.madeUp.sorted())
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
  public var madeUp: Set<String> = []
  /// Words that nothing is known of how to say, which the model therefore does not know; set their
  /// pronunciations, and build again.
  public var unpronounceable: Set<String> = []

  /// A report of nothing.
  public init() {}
}

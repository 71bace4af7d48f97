import Foundation
import SpeechCore
import SpeechLanguageModels

extension RecogniserEntry {
  /// PocketSphinx: dictation, grammars and key phrases, offline. Its variants are the presets.
  public static let pocketSphinx = RecogniserEntry(
    "pocketsphinx", of: PocketSphinxDecoder.self, displayName: "PocketSphinx",
    features: [.grammar, .keyPhrases, .languageModel],
    variants: [PocketSphinxPreset.balanced, .fast, .accurate].map(\.rawValue),
    dictationErrors: 0.28, library: SystemLibrary("pocketsphinx", package: "libpocketsphinx3"),
    remedy:
      "Install the package pocketsphinx-en-us, or set SPEECHKIT_MODELS to a folder of models.",
    access: { settings, locale in
      let model = try PocketSphinxModel.find(for: locale)
      guard settings.search == .dictation, settings.languageModel == nil else { return }
      guard model.languageModel == nil else { return }
      throw SpeechRecognitionError.recognitionFailed(
        "The model in “\(model.folder.path)” has no language model. Listen for a grammar, or put a "
          + "file that ends in .lm.bin there.")
    }
  ) { settings in
    var configuration = PocketSphinxConfiguration(
      search: try PocketSphinxSearch(settings.search),
      preset: PocketSphinxPreset(rawValue: settings.variant) ?? .balanced,
      pronunciationSource: settings.pronunciations, userDictionary: settings.userDictionary,
      acceptance: settings.minimumConfidence.map(PocketSphinxAcceptance.atLeast) ?? .off)
    if let folder = settings.languageModel { configuration.use(try LanguageModelFolder(folder)) }
    return configuration
  }
}

extension PocketSphinxSearch {
  /// The search of that recogniser setting.
  package init(_ search: RecogniserSettings.Search) throws(SpeechRecognitionError) {
    switch search {
    case .dictation: self = .dictation
    case .grammar(let text): self = .grammar(text)
    case .grammarFile(let file): self = .grammarFile(file)
    case .keyPhrases(let lines):
      var phrases: [KeyPhrase] = []
      for line in lines { phrases.append(try KeyPhrase(line: line)) }
      self = .keyPhrases(phrases)
    }
  }
}

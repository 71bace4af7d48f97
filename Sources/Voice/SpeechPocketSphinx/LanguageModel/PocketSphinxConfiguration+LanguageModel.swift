import SpeechLanguageModels

extension PocketSphinxConfiguration {
  /// Dictates with that model, and with the words of its dictionary only.
  public mutating func use(_ folder: LanguageModelFolder) {
    search = .dictation
    languageModel = folder.languageModel
    dictionary = folder.dictionary
  }
}

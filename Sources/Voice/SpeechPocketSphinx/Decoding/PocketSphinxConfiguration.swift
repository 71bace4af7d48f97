import Foundation
import SpeechCore

/// What a PocketSphinx decoder needs to know.
///
/// ```swift
/// var configuration = PocketSphinxConfiguration()
/// configuration.search = .grammar("#JSGF V1.0; grammar g; public <light> = lights (on | off);")
/// let decoder = try PocketSphinxDecoder(
///   configuration: configuration, locale: Locale(identifier: "en_US"))
/// ```
public struct PocketSphinxConfiguration: Sendable, Hashable {
  /// What the decoder listens for.
  public var search: PocketSphinxSearch
  /// How much work it puts into an utterance.
  public var preset: PocketSphinxPreset
  /// A folder with a model, or with a folder per language; `nil` searches the usual places.
  public var modelFolder: URL?
  /// A pronunciation dictionary instead of the model's own.
  public var dictionary: URL?
  /// A language model instead of the model's own, for `.dictation`.
  public var languageModel: URL?
  /// Words beside the dictionary, with their phones (`["speechkit": "S P IY CH K IH T"]`). A word that
  /// the dictionary has gets one more pronunciation.
  public var extraWords: [String: String]
  /// Who knows how words are said that the dictionary lacks. `nil` leaves them an error, except that
  /// recognisers made by SpeechKit ask eSpeak NG then.
  public var pronunciationSource: AnyPronunciationSource?
  /// Which pronunciations of the user's own go before all others. `nil` is none, except that recognisers
  /// made by SpeechKit take those of the user's account then.
  public var userDictionary: UserDictionary?
  /// How many other readings a result brings at most.
  public var maximumAlternatives: Int
  /// From which confidence on a sentence of a grammar is believed; what stays below is rejected.
  public var acceptance: PocketSphinxAcceptance

  /// A configuration; as it stands, for dictation.
  public init(
    search: PocketSphinxSearch = .dictation, preset: PocketSphinxPreset = .balanced,
    modelFolder: URL? = nil, dictionary: URL? = nil, languageModel: URL? = nil,
    extraWords: [String: String] = [:], pronunciationSource: AnyPronunciationSource? = nil,
    userDictionary: UserDictionary? = nil, maximumAlternatives: Int = 3,
    acceptance: PocketSphinxAcceptance = .off
  ) {
    self.search = search
    self.preset = preset
    self.modelFolder = modelFolder
    self.dictionary = dictionary
    self.languageModel = languageModel
    self.extraWords = extraWords
    self.pronunciationSource = pronunciationSource
    self.userDictionary = userDictionary
    self.maximumAlternatives = maximumAlternatives
    self.acceptance = acceptance
  }
}

/// What a decoder listens for.
public enum PocketSphinxSearch: Sendable, Hashable {
  /// Anything that the language model holds likely.
  case dictation
  /// The sentences of a grammar in the JSpeech Grammar Format. All its public rules may be said.
  case grammar(String)
  /// The sentences of a grammar file.
  case grammarFile(URL)
  /// Any of these phrases, in the midst of whatever else is said.
  case keyPhrases([KeyPhrase])
}

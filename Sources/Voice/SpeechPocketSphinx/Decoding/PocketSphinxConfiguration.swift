import Foundation
import SpeechCore

/// The configuration of a PocketSphinx decoder.
///
/// ```swift
/// var configuration = PocketSphinxConfiguration()
/// configuration.search = .grammar("#JSGF V1.0; grammar g; public <light> = lights (on | off);")
/// let decoder = try PocketSphinxDecoder(
///   configuration: configuration, locale: Locale(identifier: "en_US"))
/// ```
public struct PocketSphinxConfiguration: Sendable, Hashable {
  /// The search: dictation, a grammar or key phrases.
  public var search: PocketSphinxSearch
  /// The effort of dictation.
  public var preset: PocketSphinxPreset
  /// A folder with a model, or with a folder per language; `nil` searches the default places.
  public var modelFolder: URL?
  /// A pronunciation dictionary instead of the model's own.
  public var dictionary: URL?
  /// A language model instead of the model's own, for `.dictation`.
  public var languageModel: URL?
  /// Additional words with their phones (`["speechkit": "S P IY CH K IH T"]`). A word of the
  /// dictionary gets a further pronunciation.
  public var extraWords: [String: String]
  /// The source of pronunciations of words that the dictionary lacks. With `nil` such words are an
  /// error, except that recognisers created by SpeechKit then use eSpeak NG.
  public var pronunciationSource: AnyPronunciationSource?
  /// The user's own pronunciations, which take precedence over all others. `nil` means none, except
  /// that recognisers created by SpeechKit then use those of the user's account.
  public var userDictionary: UserDictionary?
  /// The maximum number of other readings in a result.
  public var maximumAlternatives: Int
  /// The confidence from which on a sentence of a grammar is accepted; others are rejected.
  public var acceptance: PocketSphinxAcceptance

  /// Creates a configuration, by default for dictation.
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

/// The kind of speech that a decoder listens for.
public enum PocketSphinxSearch: Sendable, Hashable {
  /// Any text that is likely in the language model.
  case dictation
  /// The sentences of a grammar in the JSpeech Grammar Format, from all its public rules.
  case grammar(String)
  /// The sentences of a grammar file.
  case grammarFile(URL)
  /// Any of these phrases, within any other speech.
  case keyPhrases([KeyPhrase])
}

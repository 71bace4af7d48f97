import Foundation

/// Settings that every recogniser of a catalogue understands or refuses.
///
/// ```swift
/// let settings = RecogniserSettings(search: .grammar(jsgf), minimumConfidence: 0.58)
/// ```
public struct RecogniserSettings: Sendable, Hashable {
  /// The kind of speech that a recogniser listens for.
  public enum Search: Sendable, Hashable {
    /// Anything that may be said.
    case dictation
    /// The sentences of a grammar in the JSpeech Grammar Format.
    case grammar(String)
    /// The sentences of a grammar file.
    case grammarFile(URL)
    /// Any of these phrases, in the midst of other speech. Each is a text, optionally with its
    /// thresholds: `hey computer /1e-30/0.7/`.
    case keyPhrases([String])
  }

  /// The kind of speech that it listens for.
  public var search: Search
  /// The model or preset; empty for the recogniser's default.
  public var variant: String
  /// The confidence from which on a sentence of a grammar is accepted; `nil` accepts all.
  public var minimumConfidence: Float?
  /// A folder with a language model and its dictionary, for dictation.
  public var languageModel: URL?
  /// The address of another server of the service's kind; `nil` for the service's own.
  public var server: URL?
  /// True if results are wanted while an utterance is still being recognised.
  public var reportsPartials = true
  /// The number of threads of one decoding, for recognisers that can use several; `nil` for their
  /// default.
  public var threads: Int?
  /// The source of pronunciations of words that the recogniser's dictionary lacks.
  public var pronunciations: AnyPronunciationSource?
  /// The user's own pronunciations, which take precedence over all others.
  public var userDictionary: UserDictionary?

  /// The settings of a recogniser; as they stand, for dictation.
  public init(
    search: Search = .dictation, variant: String = "", minimumConfidence: Float? = nil,
    languageModel: URL? = nil, server: URL? = nil
  ) {
    self.search = search
    self.variant = variant
    self.minimumConfidence = minimumConfidence
    self.languageModel = languageModel
    self.server = server
  }
}

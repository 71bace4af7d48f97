import Foundation

/// A recogniser in a catalogue: its name, its features, its availability, and how to create it.
///
/// Each backend declares its entry next to its own code:
/// ```swift
/// extension RecogniserEntry {
///   public static let tones = RecogniserEntry(
///     "tones", of: ToneDecoder.self, displayName: "Telephone tones", remedy: "Nothing to install."
///   ) { _ in ToneDecoder.Configuration() }
/// }
/// ```
public struct RecogniserEntry: Sendable {
  /// A feature that not every recogniser has.
  public enum Feature: String, Sendable, Hashable, CaseIterable {
    /// It listens for the sentences of a grammar, and rejects other speech.
    case grammar = "grammars"
    /// It listens for key phrases in the midst of other speech.
    case keyPhrases = "key phrases"
    /// It takes dictation with a language model of the user's own.
    case languageModel = "language models"
    /// It can use another server of its kind.
    case server = "other servers"
  }

  /// The name by which users choose it, in lower case: `pocketsphinx`.
  public let name: String
  /// The name that is displayed: “PocketSphinx”.
  public let displayName: String
  /// The identifier of the providers that listen with this recogniser.
  public let identifier: String
  /// True if it needs no network.
  public let isLocal: Bool
  /// The features it has.
  public let features: Set<Feature>
  /// The variants it has, its default first; empty if any is accepted.
  public let variants: [String]
  /// The share of wrong words in read speech, by which the best recogniser for free speech is
  /// chosen; `nil` if it is used only when it is named.
  public let dictationErrors: Double?
  /// The library it loads, if it has one of its own.
  public let library: SystemLibrary?
  /// The remedy if it does not work.
  public let remedy: String

  private let availability: @Sendable () -> Bool
  private let access: @Sendable (RecogniserSettings, Locale) async throws -> Void
  private let make:
    @Sendable (BackendName, RecogniserEntry, RecogniserSettings) throws -> AnyRecogniser

  /// Declares a recogniser.
  ///
  /// - Parameters:
  ///   - access: throws if it cannot be used for that language, for example because a model or a
  ///     key is missing.
  ///   - configure: creates the decoder's configuration.
  public init<Decoder: SpeechDecoder>(
    _ name: String, of decoder: Decoder.Type, displayName: String, isLocal: Bool = true,
    features: Set<Feature> = [], variants: [String] = [], dictationErrors: Double? = nil,
    library: SystemLibrary? = nil, remedy: String,
    access: @escaping @Sendable (RecogniserSettings, Locale) async throws -> Void = { _, _ in },
    configure: @escaping @Sendable (RecogniserSettings) throws -> Decoder.Configuration
  ) {
    self.name = name
    self.displayName = displayName
    self.isLocal = isLocal
    self.features = features
    self.variants = variants
    self.dictationErrors = dictationErrors
    self.library = library
    self.remedy = remedy
    self.access = access
    identifier = Decoder.identifier
    availability = { Decoder.isAvailable }
    make = { name, entry, settings in
      AnyRecogniser(
        name, entry, settings, of: decoder, configuration: try configure(settings))
    }
  }

  /// True if the recogniser could run on this machine as installed.
  public var isAvailable: Bool { availability() }

  /// Throws if the recogniser cannot be used for that language, for example because a model or a
  /// key is missing.
  package func checkAccess(_ settings: RecogniserSettings, locale: Locale) async throws {
    try await access(settings, locale)
  }

  /// Creates a recogniser.
  ///
  /// - Throws: `SpeechCatalogError` for settings that it does not support; whatever is wrong with
  ///   them.
  public func recogniser(_ settings: RecogniserSettings = RecogniserSettings()) throws
    -> AnyRecogniser
  {
    if let missing = missingFeature(for: settings) {
      throw SpeechCatalogError.unsupported(missing.rawValue, by: displayName, others: [])
    }
    var settings = settings
    if settings.variant.isEmpty { settings.variant = variants.first ?? "" }
    guard variants.isEmpty || variants.contains(settings.variant) else {
      throw SpeechCatalogError.unknownVariant(settings.variant, of: displayName, nearest: nil)
    }
    let name = BackendName(entry: name, variant: settings.variant, server: settings.server)
    return try make(name, self, settings)
  }

  /// The first feature that the settings need and the recogniser does not have.
  package func missingFeature(for settings: RecogniserSettings) -> Feature? {
    var needed: [Feature] = []
    switch settings.search {
    case .dictation: break
    case .grammar, .grammarFile: needed.append(.grammar)
    case .keyPhrases: needed.append(.keyPhrases)
    }
    if settings.minimumConfidence != nil { needed.append(.grammar) }
    if settings.languageModel != nil { needed.append(.languageModel) }
    if settings.server != nil { needed.append(.server) }
    return needed.first { !features.contains($0) }
  }
}

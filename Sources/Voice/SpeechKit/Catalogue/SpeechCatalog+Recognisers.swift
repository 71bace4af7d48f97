import SpeechCore
import SpeechText

extension SpeechCatalog {
  /// The recogniser of that name.
  ///
  /// - Throws: `SpeechCatalogError.unknownName`.
  public func recogniserEntry(_ name: String) throws(SpeechCatalogError) -> RecogniserEntry {
    guard let entry = recognisers.first(where: { $0.name == name }) else {
      let known = recognisers.map(\.name) + recognisers.flatMap(\.variants)
      throw .unknownName(name, nearest: NearestName.of(name, among: known), known: known)
    }
    return entry
  }

  /// Parses the name of a recogniser: `pocketsphinx`, `openai:whisper-1@http://localhost:8000/v1`, or
  /// a variant alone (`fast`). An empty name is the first recogniser.
  ///
  /// - Throws: `SpeechCatalogError`.
  public func recogniserName(_ text: String) throws(SpeechCatalogError) -> BackendName {
    if text.isEmpty, let first = recognisers.first { return BackendName(entry: first.name) }
    if let entry = recognisers.first(where: { $0.variants.contains(text) }) {
      return BackendName(entry: entry.name, variant: text)
    }
    let name = try BackendName(text)
    let entry = try recogniserEntry(name.entry)
    if !name.variant.isEmpty, !entry.variants.isEmpty, !entry.variants.contains(name.variant) {
      throw .unknownVariant(
        name.variant, of: entry.displayName,
        nearest: NearestName.of(name.variant, among: entry.variants))
    }
    return name
  }

  /// Creates the recogniser of that name.
  ///
  /// Words that no dictionary has are pronounced as the first available voice speaks them, and the
  /// user's own dictionary takes precedence, unless the settings say otherwise.
  ///
  /// - Throws: `SpeechCatalogError` for an unknown name and for settings that the recogniser does not
  ///   support; whatever is wrong with the settings otherwise.
  public func recogniser(
    _ name: String = "", settings: RecogniserSettings = RecogniserSettings()
  ) throws -> AnyRecogniser {
    try recogniser(try recogniserName(name), settings: settings)
  }

  /// Creates the recogniser of that name.
  ///
  /// - Throws: as for a name as text.
  public func recogniser(
    _ name: BackendName, settings: RecogniserSettings = RecogniserSettings()
  ) throws -> AnyRecogniser {
    let entry = try recogniserEntry(name.entry)
    var settings = settings
    if !name.variant.isEmpty { settings.variant = name.variant }
    settings.server = name.server ?? settings.server
    if let missing = entry.missingFeature(for: settings) {
      let others = recognisers.filter { $0.features.contains(missing) }.map(\.name)
      throw SpeechCatalogError.unsupported(missing.rawValue, by: entry.displayName, others: others)
    }
    settings.pronunciations = settings.pronunciations ?? pronunciations
    settings.userDictionary = settings.userDictionary ?? .standard
    return try entry.recogniser(settings)
  }
}

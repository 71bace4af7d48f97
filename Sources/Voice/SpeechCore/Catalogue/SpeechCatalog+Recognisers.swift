import SpeechText

extension SpeechCatalog {
  /// The recogniser of that name.
  package func recogniserEntry(_ name: String) throws(SpeechCatalogError) -> RecogniserEntry {
    guard let entry = recognisers.first(where: { $0.name == name }) else {
      let known = recognisers.map(\.name) + recognisers.flatMap(\.variants)
      throw .unknownName(name, nearest: NearestName.of(name, among: known), known: known)
    }
    return entry
  }

  /// Parses the name of a recogniser: `pocketsphinx`, `openai:whisper-1@http://localhost:8000/v1`,
  /// or a variant alone (`fast`). An empty name is the first recogniser.
  ///
  /// - Throws: `SpeechCatalogError`.
  package func recogniserName(_ text: String) throws(SpeechCatalogError) -> BackendName {
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
  /// - Throws: `SpeechCatalogError` for an unknown name and for settings that the recogniser does
  ///   not support; whatever is wrong with the settings otherwise.
  public func recogniser(
    _ name: String = "", settings: RecogniserSettings = RecogniserSettings()
  ) throws -> AnyRecogniser {
    try recogniser(try recogniserName(name), settings: settings)
  }

  /// Creates the recogniser of that name.
  package func recogniser(
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

extension SpeechCatalog {
  /// Creates a recogniser that waits for a key phrase before it recognises anything else.
  ///
  /// The phrase is heard by the recogniser itself, or by the first one that listens for key phrases
  /// if it does not.
  ///
  /// - Parameters:
  ///   - phrases: the key phrases, as `RecogniserSettings.Search.keyPhrases` has them.
  ///   - window: how long after the phrase a command may begin; `nil` if the conversation decides.
  /// - Throws: as for a recogniser without key phrases.
  package func recogniser(
    _ name: BackendName, settings: RecogniserSettings, wakingBy phrases: [String],
    window: Duration?
  ) throws -> AnyRecogniser {
    let command = try recogniser(name, settings: settings)
    guard !phrases.isEmpty else { return command }
    var spotting = settings
    spotting.search = .keyPhrases(phrases)
    spotting.minimumConfidence = nil
    spotting.languageModel = nil
    var spotterName = name
    if !command.entry.features.contains(.keyPhrases),
      let other = recognisers.first(where: { $0.features.contains(.keyPhrases) })
    {
      spotterName = BackendName(entry: other.name)
      (spotting.variant, spotting.server) = ("", nil)
    }
    let spotter = try recogniser(spotterName, settings: spotting)
    return AnyRecogniser(
      command.name, command.entry, of: WakeWordDecoder<AnyDecoder, AnyDecoder>.self,
      configuration: WakeWordConfiguration(
        spotter: spotter.configuration, command: command.configuration, window: window))
  }
}

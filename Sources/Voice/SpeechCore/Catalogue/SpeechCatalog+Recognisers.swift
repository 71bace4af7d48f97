import Foundation
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
  /// Returns the name of the best recogniser for these settings, for users who name none: the first
  /// local one that has the necessary features and is ready for the language, or the catalogue's
  /// first one if none is. Those with the fewest errors come first for free speech; for grammars
  /// and key phrases the order is that of the catalogue.
  package func automaticRecogniser(
    for settings: RecogniserSettings = RecogniserSettings(), locale: Locale
  ) async -> BackendName {
    let entries =
      settings.search == .dictation ? rankedRecognisers : recognisers.filter(\.isLocal)
    for entry in entries where entry.missingFeature(for: settings) == nil {
      guard (try? await entry.checkAccess(settings, locale: locale)) != nil else { continue }
      return BackendName(entry: entry.name)
    }
    return BackendName(entry: recognisers.first?.name ?? "")
  }

  /// The local recognisers, that with the fewest errors in free speech first.
  package var rankedRecognisers: [RecogniserEntry] {
    recognisers.compactMap { entry in
      entry.dictationErrors.flatMap { entry.isLocal ? (errors: $0, entry: entry) : nil }
    }.sorted { $0.errors < $1.errors }.map(\.entry)
  }

  /// Creates a recogniser with others around it.
  ///
  /// - Parameters:
  ///   - other: the name of a recogniser of free speech that reads what a grammar rejects.
  ///   - phrases: the key phrases without which nothing is recognised, as
  ///     `RecogniserSettings.Search.keyPhrases` has them.
  ///   - spotter: the name of the recogniser that waits for them. With `nil` it is the recogniser
  ///     itself if it is local and listens for key phrases, and otherwise the first one that is:
  ///     nothing is sent away for a phrase unless it is asked for.
  ///   - window: the time after the phrase in which a command may begin; `nil` if the conversation
  ///     decides.
  /// - Throws: as for each of the recognisers.
  package func recogniser(
    _ name: BackendName, settings: RecogniserSettings, otherwise other: BackendName? = nil,
    wakingBy phrases: [String], spotter: BackendName? = nil, window: Duration?
  ) throws -> AnyRecogniser {
    var command = try recogniser(name, settings: settings)
    if let other {
      var free = settings
      (free.search, free.minimumConfidence) = (.dictation, nil)
      (free.variant, free.server) = ("", nil)
      let reader = try recogniser(other, settings: free)
      command = AnyRecogniser(
        command, with: [reader], of: CascadeDecoder<AnyDecoder, AnyDecoder>.self,
        configuration: .init(command: command.configuration, other: reader.configuration))
    }
    guard !phrases.isEmpty else { return command }
    var spotting = settings
    spotting.search = .keyPhrases(phrases)
    spotting.minimumConfidence = nil
    spotting.languageModel = nil
    var spotterName = name
    func suits(_ entry: RecogniserEntry) -> Bool {
      entry.isLocal && entry.features.contains(.keyPhrases)
    }
    if let other = spotter
      ?? (suits(command.entry)
        ? nil : recognisers.first(where: suits).map { BackendName(entry: $0.name) })
    {
      spotterName = other
      (spotting.variant, spotting.server) = ("", nil)
    }
    let waiting = try recogniser(spotterName, settings: spotting)
    return AnyRecogniser(
      command, with: [waiting], of: WakeWordDecoder<AnyDecoder, AnyDecoder>.self,
      configuration: WakeWordConfiguration(
        spotter: waiting.configuration, command: command.configuration, window: window))
  }
}

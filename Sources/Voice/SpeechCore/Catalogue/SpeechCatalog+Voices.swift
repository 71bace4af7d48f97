import SpeechText

extension SpeechCatalog {
  /// The voice engine of that name.
  package func voiceEntry(_ name: String) throws(SpeechCatalogError) -> VoiceEntry {
    guard let entry = voices.first(where: { $0.name == name }) else {
      let known = voices.map(\.name)
      throw .unknownName(name, nearest: NearestName.of(name, among: known), known: known)
    }
    return entry
  }

  /// Parses the name of a voice: `flite:slt`, `espeak`, or `en-gb` of whichever engine has it, in
  /// which case the entry of the result is empty.
  ///
  /// - Throws: `SpeechCatalogError.unknownName` if the text before the colon is not an engine.
  package func voiceName(_ text: String) throws(SpeechCatalogError) -> BackendName {
    let name = try BackendName(text)
    guard !voices.contains(where: { $0.name == name.entry }) else { return name }
    guard !text.contains(":"), name.server == nil else {
      _ = try voiceEntry(name.entry)
      return name
    }
    return BackendName(entry: "", variant: text)
  }

  /// Creates the voice of that name. An empty name is the default voice of the first engine that is
  /// available; `auto` is its voice of the language of each text.
  ///
  /// - Throws: `SpeechCatalogError` if no engine has the voice, or its engine does not support the
  ///   settings; the engine's own error if it cannot start.
  public func voice(
    _ name: String = "", settings: VoiceSettings = VoiceSettings()
  ) async throws -> AnyVoice {
    try await voice(try voiceName(name), settings: settings)
  }

  /// Creates the voice of that name.
  package func voice(
    _ name: BackendName, settings: VoiceSettings = VoiceSettings()
  ) async throws -> AnyVoice {
    let entry = try await entry(of: name)
    var settings = settings
    settings.server = name.server ?? settings.server
    let voice: AnyVoice
    do throws(SpeechCatalogError) {
      voice = try entry.voice(name.variant, settings: settings)
    } catch {
      throw completed(error)
    }
    // A service reports a missing voice itself; asking it first would delay every text.
    if entry.isLocal, await !voice.exists() { throw await unknown(name) }
    return voice
  }

  /// The engine that is named, or else the first local one that has the voice.
  private func entry(of name: BackendName) async throws -> VoiceEntry {
    guard name.entry.isEmpty else { return try voiceEntry(name.entry) }
    let local = voices.filter(\.isLocal)
    guard !name.variant.isEmpty else {
      guard let entry = local.first(where: \.isAvailable) ?? local.first else {
        throw await unknown(name)
      }
      return entry
    }
    for entry in local where await (try entry.voice(name.variant)).exists() { return entry }
    throw await unknown(name)
  }

  private func unknown(_ name: BackendName) async -> any Error {
    var known: [Voice] = []
    for entry in voices where entry.isLocal {
      do {
        known += try await entry.voices()
      } catch {
        // An installed engine that cannot start may well have that voice.
        if entry.isAvailable, name.entry.isEmpty || name.entry == entry.name { return error }
      }
    }
    return SpeechCatalogError.unknownVoice(
      name.variant,
      nearest: NearestName.of(name.variant, among: known.flatMap { [$0.id, $0.name] })
    )
  }

  /// The error with the names of the engines that support the feature.
  private func completed(_ error: SpeechCatalogError) -> SpeechCatalogError {
    guard case .unsupported(let feature, let name, _) = error else { return error }
    let others = voices.filter { $0.features.contains { $0.rawValue == feature } }.map(\.name)
    return .unsupported(feature, by: name, others: others)
  }

  /// The pronunciations of the first available voice engine that knows any.
  public var pronunciations: AnyPronunciationSource {
    voices.first { $0.pronunciations != nil && $0.isAvailable }?.pronunciations
      ?? AnyPronunciationSource(NoPronunciations())
  }
}

extension SpeechSynthesisEngine {
  /// Creates an engine that speaks with the catalogue's first available voice.
  public convenience init(output: any AudioOutput = PortAudioSpeaker()) {
    self.init(providerType: .auto, output: output)
  }

  /// Creates an engine that speaks with the voice of that type.
  ///
  /// - Parameters:
  ///   - fallbackEnabled: true to have another local voice speak when the chosen one fails.
  ///   - output: the output that it speaks on; the default speakers unless given.
  public convenience init(
    providerType: SpeechSynthesisProviderType, fallbackEnabled: Bool = true,
    output: any AudioOutput = PortAudioSpeaker()
  ) {
    let catalog = SpeechCatalog.current
    let entry = providerType.entry(in: catalog) ?? .flite
    let other =
      fallbackEnabled ? catalog.voices.first { $0.isLocal && $0.name != entry.name } : nil
    self.init(
      provider: entry.makeProvider(output: output),
      fallback: other?.makeProvider(output: output))
  }

  /// The type of the voice that speaks, or spoke last; `.auto` for a provider of the app's own.
  public var providerType: SpeechSynthesisProviderType {
    let identifier = speakerIdentifier ?? type(of: provider).identifier
    return SpeechCatalog.current.voices.first { $0.identifier == identifier }
      .map { SpeechSynthesisProviderType($0) } ?? .auto
  }
}

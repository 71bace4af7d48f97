extension SpeechSynthesisEngine {
  /// Creates an engine that speaks with the voice of that type, or with the catalogue's first
  /// available one.
  ///
  /// - Parameters:
  ///   - fallbackEnabled: true to have another local voice speak when the chosen one fails.
  ///   - output: the output that it speaks on; the default speakers unless given.
  public convenience init(
    providerType: SpeechSynthesisProviderType = .auto, fallbackEnabled: Bool = true,
    output: any AudioOutput = PortAudioSpeaker()
  ) {
    let entry = providerType.entry(in: .current) ?? .flite
    self.init(
      provider: entry.makeProvider(output: output), fallbackEnabled: fallbackEnabled,
      output: output)
  }

  /// Creates an engine that speaks through that provider.
  ///
  /// - Parameters:
  ///   - fallbackEnabled: true to have another local voice speak when the provider fails.
  ///   - output: the output that the other voice speaks on.
  public convenience init(
    provider: any SpeechSynthesisProvider, fallbackEnabled: Bool,
    output: any AudioOutput = PortAudioSpeaker()
  ) {
    let identifier = type(of: provider).identifier
    let other = SpeechCatalog.current.voices.first { $0.isLocal && $0.identifier != identifier }
    self.init(
      provider: provider,
      fallback: fallbackEnabled ? other?.makeProvider(output: output) : nil)
  }

  /// The type of the voice that speaks, or spoke last; `.auto` for a provider of the app's own.
  public var providerType: SpeechSynthesisProviderType {
    let identifier = speakerIdentifier ?? type(of: provider).identifier
    return SpeechCatalog.current.voices.first { $0.identifier == identifier }
      .map { SpeechSynthesisProviderType($0) } ?? .auto
  }
}

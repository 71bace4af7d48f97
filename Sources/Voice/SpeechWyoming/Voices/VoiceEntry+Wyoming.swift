import SpeechCore

extension VoiceEntry {
  /// Voices of the Wyoming protocol, such as Piper's. The name of a voice is the address of its
  /// engine: `wyoming:localhost:10200`, `wyoming:unix:PATH` or `wyoming:exec:COMMAND`, each with
  /// `#NAME` for another voice than the engine's default.
  public static let wyoming = VoiceEntry(
    "wyoming", displayName: "Wyoming",
    remedy: "Start a Wyoming engine, and name its address: wyoming:localhost:10200.",
    access: { settings in
      do {
        let engine = WyomingEngine(try WyomingAddress(settings.voice))
        guard let info = try await engine.check() else { return }
        _ = try engine.synthesiser(in: info)
      } catch let error as WyomingError {
        throw SpeechSynthesisProviderError(error)
      }
    }
  ) { settings in
    (WyomingVoice(), WyomingVoiceConfiguration(style: settings.style))
  }
}

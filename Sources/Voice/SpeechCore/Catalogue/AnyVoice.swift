import SpeechAudio

/// A voice from a catalogue, ready to speak.
///
/// ```swift
/// let voice = try await SpeechCatalog.current.voice("flite:slt")
/// let audio = try await voice.render("Good morning.")
/// ```
public struct AnyVoice: Sendable {
  /// The name by which the catalogue creates it again.
  package let name: BackendName
  /// The entry that created it.
  public let entry: VoiceEntry
  /// Its engine, configured.
  package let engine: any ConfiguredVoice

  /// The engine's name of the voice; `nil` for the engine's default.
  public var voice: String? { name.variant.isEmpty ? nil : name.variant }

  /// Throws if the voice may not be used, for example because its key is missing.
  package func checkAccess() async throws {
    var settings = VoiceSettings(server: name.server)
    settings.voice = name.variant
    try await entry.checkAccess(settings)
  }

  /// Checks whether the engine has the voice. The default voice exists if the engine is available.
  public func exists() async -> Bool {
    guard let voice else { return entry.isAvailable }
    return await engine.isVoiceAvailable(voiceId: voice, configuration: ())
  }

  /// Creates a provider that plays on that output. Pass `voice` to its `speak(text:voice:)`.
  @MainActor public func makeProvider(
    output: any AudioOutput
  ) -> any SpeechSynthesisProvider {
    engine.makeProvider(on: output)
  }

  /// Makes the audio of a text.
  ///
  /// - Throws: whatever the engine throws; `CancellationError` when the task is cancelled.
  public func render(_ text: String) async throws -> PCMBuffer {
    try await engine.render(
      engine.makeRequest(text: text, voiceId: voice ?? ""), configuration: ())
  }
}

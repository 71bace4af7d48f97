/// The recognisers and voices that can be chosen by name.
///
/// ```swift
/// let voice = try await SpeechCatalog.current.voice("flite:slt")
/// let recogniser = try SpeechCatalog.current.recogniser("pocketsphinx:fast")
/// ```
/// A name is `NAME[:VARIANT][@SERVER]`, for example `espeak:en-gb+f3`, `openai:whisper-1` or
/// `openai@http://localhost:8000/v1`. The command line, scenarios, the lab, the diagnostics and the
/// provider types of the engines all read the current catalogue. An app adds a backend of its own
/// when it starts:
/// ```swift
/// SpeechCatalog.add(.tones)
/// ```
public struct SpeechCatalog: Sendable {
  /// The voice engines. Where no name is given, the first one is preferred.
  public package(set) var voices: [VoiceEntry]
  /// The recognisers. Where no name is given, the first one is used.
  public package(set) var recognisers: [RecogniserEntry]

  /// Creates a catalogue of those backends.
  public init(voices: [VoiceEntry], recognisers: [RecogniserEntry]) {
    self.voices = voices
    self.recognisers = recognisers
  }
}

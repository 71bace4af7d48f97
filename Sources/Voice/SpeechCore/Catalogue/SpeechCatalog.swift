import Synchronization

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
  public private(set) var voices: [VoiceEntry]
  /// The recognisers. Where no name is given, the first one is used.
  public private(set) var recognisers: [RecogniserEntry]

  /// Creates a catalogue of those backends.
  public init(voices: [VoiceEntry], recognisers: [RecogniserEntry]) {
    self.voices = voices
    self.recognisers = recognisers
  }

  private static let shared = Mutex(standard)

  /// The catalogue in which names are looked up throughout the program.
  public static var current: SpeechCatalog { shared.withLock { $0 } }

  /// Adds a voice engine to the current catalogue; it replaces one of the same name.
  public static func add(_ voice: VoiceEntry) {
    shared.withLock { catalog in
      catalog.voices.removeAll { $0.name == voice.name }
      catalog.voices.append(voice)
    }
  }

  /// Adds a recogniser to the current catalogue; it replaces one of the same name.
  public static func add(_ recogniser: RecogniserEntry) {
    shared.withLock { catalog in
      catalog.recognisers.removeAll { $0.name == recogniser.name }
      catalog.recognisers.append(recogniser)
    }
  }
}

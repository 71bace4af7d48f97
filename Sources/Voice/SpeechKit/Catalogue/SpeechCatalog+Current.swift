import SpeechCore
import Synchronization

extension SpeechCatalog {
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

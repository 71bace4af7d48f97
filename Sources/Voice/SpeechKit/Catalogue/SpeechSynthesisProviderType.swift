/// A voice as an engine is asked for it: any name of the catalogue, and names for the platform's
/// own voice, which on Linux is the catalogue's first one.
public struct SpeechSynthesisProviderType: RawRepresentable, CaseIterable, Sendable, Hashable,
  Codable
{
  /// The name as it is stored.
  public let rawValue: String

  /// The type of that name; `nil` if it is neither a known name nor in the current catalogue.
  public init?(rawValue: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = known
  }

  /// The type of a voice engine of the catalogue.
  public init(_ entry: VoiceEntry) {
    self = Self.named.first { $0.rawValue.lowercased() == entry.name } ?? Self(known: entry.name)
  }

  private init(known rawValue: String) { self.rawValue = rawValue }

  /// The catalogue's first voice that is available.
  public static let auto = Self(known: "auto")
  /// The platform's own voice.
  public static let apple = Self(known: "apple")
  /// eSpeak NG, which needs no network.
  public static let eSpeak = Self(known: "eSpeak")
  /// Flite, which needs no network.
  public static let flite = Self(known: "flite")
  /// The voices of ElevenLabs.
  public static let elevenLabs = Self(known: "elevenLabs")
  /// The voices of OpenAI.
  public static let openAI = Self(known: "openAI")
  /// The platform's own offline voice.
  public static let localTTS = Self(known: "localTTS")

  private static let named = [eSpeak, flite, elevenLabs, openAI]

  /// The names that stand for the platform's own voice, and all voices of the current catalogue.
  public static var allCases: [SpeechSynthesisProviderType] {
    [auto, apple, localTTS] + SpeechCatalog.current.voices.map(Self.init)
  }

  /// The voice engine that serves this type.
  func entry(in catalog: SpeechCatalog) -> VoiceEntry? {
    catalog.voices.first { $0.name == rawValue.lowercased() }
      ?? (self == .auto ? catalog.voices.first(where: \.isAvailable) : nil) ?? catalog.voices.first
  }
}

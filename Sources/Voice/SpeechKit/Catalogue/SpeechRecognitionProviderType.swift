/// A recogniser as an engine is asked for it: any name of the catalogue, and the names of Apple's
/// recognisers.
///
/// The names of Apple's recognisers stand for the best local one, so that a program moves over
/// unchanged: Whisper if it is installed, or else PocketSphinx. The engine's `providerType` is the
/// one that runs.
public struct SpeechRecognitionProviderType: RawRepresentable, CaseIterable, Sendable, Hashable,
  Codable
{
  /// The name as it is stored.
  public let rawValue: String

  /// The type of that name; `nil` if it is neither a known name nor in the current catalogue.
  public init?(rawValue: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = known
  }

  /// The type of a recogniser of the catalogue.
  public init(_ entry: RecogniserEntry) {
    self = Self.named.first { $0.rawValue.lowercased() == entry.name } ?? Self(known: entry.name)
  }

  private init(known rawValue: String) { self.rawValue = rawValue }

  /// The best local recogniser of free speech that is installed.
  public static let auto = Self(known: "auto")
  /// PocketSphinx, which needs no network.
  public static let pocketSphinx = Self(known: "pocketSphinx")
  /// The transcription of OpenAI.
  public static let openAI = Self(known: "openAI")
  /// Whisper, which needs no network.
  public static let whisper = Self(known: "whisper")
  /// The same as `auto`.
  public static let sfSpeechRecognizer = Self(known: "sfSpeechRecognizer")
  /// The same as `auto`.
  public static let speechAnalyzer = Self(known: "speechAnalyzer")

  private static let named = [pocketSphinx, whisper, openAI]

  /// The names that stand for the best local recogniser, and all recognisers of the current
  /// catalogue.
  public static var allCases: [SpeechRecognitionProviderType] {
    [auto, sfSpeechRecognizer, speechAnalyzer] + SpeechCatalog.current.recognisers.map(Self.init)
  }

  /// The recogniser that serves this type.
  func entry(in catalog: SpeechCatalog) -> RecogniserEntry? {
    catalog.recognisers.first { $0.name == rawValue.lowercased() }
      ?? catalog.rankedRecognisers.first(where: \.isAvailable) ?? catalog.recognisers.first
  }
}

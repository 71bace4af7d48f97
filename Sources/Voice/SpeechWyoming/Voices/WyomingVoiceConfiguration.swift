import SpeechConcurrency
import SpeechCore

/// The settings of a `WyomingVoice`.
///
/// ```swift
/// let configuration = WyomingVoiceConfiguration(engine: "localhost:10200")
/// ```
/// Copies share the connections to programs, which are ended with the last copy.
public struct WyomingVoiceConfiguration: Sendable {
  /// The address of the engine: `HOST:PORT`, `unix:PATH`, or `exec:COMMAND` for a program that is
  /// started and speaks through its standard input and output. `#NAME` after it selects a voice. If
  /// it is `nil`, the voice of each request is such an address.
  public var engine: String?
  /// Volume and the silence around the text. The protocol has no settings for pace and pitch.
  public var style: SpeakingStyle
  /// The time limit of a sentence, which includes the time in which a lost engine comes back.
  public var timeout = Duration.seconds(60)

  private let engines = Guarded<[String: WyomingEngine]>([:])

  /// Creates a configuration.
  public init(engine: String? = nil, style: SpeakingStyle = .default) {
    self.engine = engine
    self.style = style
  }

  /// The engine for a voice, and the voice's own name; `nil` for the engine's default.
  func engine(for voiceID: String) throws(WyomingError) -> (WyomingEngine, voice: String?) {
    let address = try WyomingAddress(engine ?? voiceID)
    var name = address.name
    if engine != nil, !voiceID.isEmpty { name = voiceID }
    let known = engines.withLock { engines in
      let known = engines[address.description] ?? WyomingEngine(address)
      engines[address.description] = known
      return known
    }
    try known.checkInstallation()
    return (known, name)
  }
}

/// A synthetic speaker for tests of recognisers: a voice and its manner of speaking.
///
/// ```swift
/// let speaker = Speaker(.flite, voice: "rms", rate: 0.55)
/// let sound = try await speaker.say("turn on the light")   // 16 kHz
/// ```
/// Flite always gives the same samples for the same line. eSpeak NG does not: it continues the
/// melody of its last line, so that a line may differ by a few samples from an earlier rendering. A
/// process that speaks the same lines in the same order from its start gets the same audio each
/// time.
public struct Speaker: Sendable, Hashable, Codable {
  /// The name of a voice engine in the catalogue.
  public struct Engine: RawRepresentable, Sendable, Hashable, Codable {
    /// The name as text: `flite`.
    public let rawValue: String

    /// Creates an engine name from text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Flite: English only, and understood well by recognisers.
    public static let flite = Engine(rawValue: "flite")
    /// eSpeak NG: many voices, which recognisers trained on people understand badly.
    public static let espeak = Engine(rawValue: "espeak")

    /// The default voice: American, which recognisers understand best.
    package var defaultVoice: String { ["flite": "slt", "espeak": "en-us"][rawValue] ?? "" }
  }

  /// The engine of the voice.
  public var engine: Engine
  /// The engine's identifier of the voice: `slt`, `en-us+f3`.
  public var voice: String
  /// The rate, from 0 to 1; 0.5 is the voice's own.
  public var rate: Float
  /// The pitch, from 0.5 to 2; 1 is the voice's own.
  public var pitch: Float
  /// The loudness of the speech in decibels below full scale, without the silence between words.
  public var level: Double

  /// The default loudness.
  public static let defaultLevel = -24.0

  /// Creates a speaker; by default in the voice's own manner.
  public init(
    _ engine: Engine, voice: String, rate: Float = 0.5, pitch: Float = 1,
    level: Double = defaultLevel
  ) {
    self.engine = engine
    self.voice = voice
    self.rate = rate
    self.pitch = pitch
    self.level = level
  }

  /// “flite:rms”, with the manner if it is not the voice's own.
  public var name: String {
    var name = BackendName(entry: engine.rawValue, variant: voice).description
    if rate != 0.5 { name += " rate \(Self.brief(rate))" }
    if pitch != 1 { name += " pitch \(Self.brief(pitch))" }
    return name
  }

  /// Returns the line as 16 kHz audio at the speaker's level.
  ///
  /// - Throws: The errors of the voice; `CancellationError` if the task is cancelled.
  public func say(_ line: String) async throws -> PCMBuffer { try await perform(line).sound }

  /// Returns the audio of a line with its timing.
  func perform(_ line: String) async throws -> SpokenPerformance {
    let style = SpeakingStyle(rate: rate, pitchMultiplier: pitch)
    let voice = try SpeechCatalog.current.voiceEntry(engine.rawValue)
      .voice(voice, settings: VoiceSettings(style: style))
    return try await SpokenPerformance(
      of: line, by: voice.engine, (), voice: self.voice, level: level)
  }

  private static func brief(_ value: Float) -> String { String((value * 100).rounded() / 100) }
}

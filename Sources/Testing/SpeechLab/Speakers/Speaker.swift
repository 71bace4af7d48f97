/// Somebody who says lines to a recogniser under test: a voice, and its manner of speaking.
///
/// ```swift
/// let speaker = Speaker(.flite, voice: "rms", rate: 0.55)
/// let sound = try await speaker.say("turn on the light")   // 16 kHz
/// ```
/// Flite gives the same samples for the same line whenever it is asked. eSpeak NG does not: it goes on in the
/// melody in which it ended, and a line may differ by some samples from the same line said before. In a
/// process that says the same lines in the same order from its start it is the same each time.
public struct Speaker: Sendable, Hashable, Codable {
  /// The name of a voice engine in the catalogue.
  public struct Engine: RawRepresentable, Sendable, Hashable, Codable {
    /// The name: `flite`.
    public let rawValue: String

    /// The engine of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Flite: English only, and well understood by recognisers.
    public static let flite = Engine(rawValue: "flite")
    /// eSpeak NG: many voices; recognisers that learnt from people understand them badly.
    public static let espeak = Engine(rawValue: "espeak")

    /// The voice that speaks if none is named: American, which recognisers understand best.
    package var defaultVoice: String { ["flite": "slt", "espeak": "en-us"][rawValue] ?? "" }
  }

  /// What makes the voice.
  public var engine: Engine
  /// The engine's name of the voice: `slt`, `en-us+f3`.
  public var voice: String
  /// The pace, from 0 to 1; 0.5 is the voice's own.
  public var rate: Float
  /// The pitch, from 0.5 to 2; 1 is the voice's own.
  public var pitch: Float
  /// How loud the speech is, in decibels below full scale; silence between words does not count.
  public var level: Double

  /// How loud somebody speaks of whom nothing else is said.
  public static let usualLevel = -24.0

  /// A speaker.
  public init(
    _ engine: Engine, voice: String, rate: Float = 0.5, pitch: Float = 1,
    level: Double = usualLevel
  ) {
    self.engine = engine
    self.voice = voice
    self.rate = rate
    self.pitch = pitch
    self.level = level
  }

  /// “flite:rms”, and the manner where it is not the voice's own.
  public var name: String {
    var name = BackendName(entry: engine.rawValue, variant: voice).description
    if rate != 0.5 { name += " rate \(Self.brief(rate))" }
    if pitch != 1 { name += " pitch \(Self.brief(pitch))" }
    return name
  }

  /// The line as 16 kHz sound of the speaker's level.
  ///
  /// - Throws: what the voice throws; `CancellationError` when the task is cancelled.
  public func say(_ line: String) async throws -> PCMBuffer { try await perform(line).sound }

  /// The same, with the time that it took.
  func perform(_ line: String) async throws -> SpokenPerformance {
    let style = SpeakingStyle(rate: rate, pitchMultiplier: pitch)
    let voice = try SpeechCatalog.current.voiceEntry(engine.rawValue)
      .voice(voice, settings: VoiceSettings(style: style))
    return try await SpokenPerformance(
      of: line, by: voice.engine, (), voice: self.voice, level: level)
  }

  private static func brief(_ value: Float) -> String { String((value * 100).rounded() / 100) }
}

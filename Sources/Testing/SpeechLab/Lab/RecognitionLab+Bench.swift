extension RecognitionLab {
  /// A recogniser on the bench.
  public struct Ear: Sendable {
    /// What it is called in reports, and found by in a baseline.
    public var name: String
    /// Whether it listens for the sentences of a grammar, and should believe nothing else.
    public var hasGrammar: Bool
    let makeCrew: @Sendable () -> RecognitionCrew

    /// A recogniser of any kind.
    ///
    /// - Parameters:
    ///   - hasGrammar: whether it listens for the lines of the bench alone, which gives it a rejection curve.
    ///   - count: how many of it work at once.
    public init<Decoder: SpeechDecoder>(
      _ name: String, of kind: Decoder.Type, configuration: Decoder.Configuration,
      locale: Locale = Locale(identifier: "en-US"), hasGrammar: Bool = false,
      count: Int = ProcessInfo.processInfo.activeProcessorCount
    ) {
      self.name = name
      self.hasGrammar = hasGrammar
      makeCrew = {
        RecognitionCrew(of: kind, configuration: configuration, locale: locale, count: count)
      }
    }

    /// A recogniser from the catalogue. Several of a local one work at once, one for each processor.
    ///
    /// - Parameter hasGrammar: true if it listens for the lines of the bench alone.
    public init(
      _ recogniser: AnyRecogniser, named name: String? = nil, hasGrammar: Bool = false
    ) {
      self.init(
        name ?? recogniser.name.description, of: AnyDecoder.self,
        configuration: recogniser.configuration, hasGrammar: hasGrammar,
        count: recogniser.entry.isLocal ? ProcessInfo.processInfo.activeProcessorCount : 4)
    }
  }

  /// A voice on the bench.
  public struct Voice: Sendable {
    /// What it is called in reports.
    public var name: String
    /// Whether a line is said once and kept for all recognisers: where it costs money or time, or sounds
    /// otherwise the next time.
    let isKept: Bool
    let perform: @Sendable (String) async throws -> SpokenPerformance

    /// A voice of this machine.
    public init(_ speaker: Speaker) {
      name = speaker.name
      isKept = false
      perform = { try await speaker.perform($0) }
    }

    /// A voice of any engine, such as that of a service. Each line is asked for once and kept in memory.
    ///
    /// - Parameters:
    ///   - voice: the engine's name of it; empty for the engine's choice.
    ///   - level: how loud it is made, in decibels below full scale.
    public init<Engine: VoiceEngine>(
      _ name: String, of engine: Engine, configuration: Engine.Configuration, voice: String = "",
      level: Double = Speaker.usualLevel
    ) {
      self.name = name
      isKept = true
      perform = {
        try await SpokenPerformance(
          of: $0, by: engine, configuration, voice: voice, level: level)
      }
    }
  }
}

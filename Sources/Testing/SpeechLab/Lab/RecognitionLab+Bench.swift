extension RecognitionLab {
  /// A recogniser under test.
  public struct Recogniser: Sendable {
    /// The name in reports, which also identifies it in a baseline.
    public var name: String
    /// True if it listens for the sentences of a grammar and should accept nothing else.
    public var hasGrammar: Bool
    let configuration: AnyDecoder.Configuration
    let locale: Locale
    let count: Int

    /// Creates an entry for a recogniser of any kind.
    ///
    /// - Parameters:
    ///   - hasGrammar: True if it listens for the lines of the bench alone, which gives it a
    ///     rejection curve.
    ///   - count: The number of instances that work in parallel.
    public init<Decoder: SpeechDecoder>(
      _ name: String, of kind: Decoder.Type, configuration: Decoder.Configuration,
      locale: Locale = Locale(identifier: "en-US"), hasGrammar: Bool = false,
      count: Int = ProcessInfo.processInfo.activeProcessorCount
    ) {
      self.name = name
      self.hasGrammar = hasGrammar
      self.configuration = AnyDecoder.Configuration(of: kind, configuration: configuration)
      self.locale = locale
      self.count = count
    }

    /// Creates an entry for a recogniser of the catalogue. Of a local one, one instance for each
    /// processor works.
    ///
    /// - Parameter hasGrammar: True if it listens for the lines of the bench alone.
    public init(
      _ recogniser: AnyRecogniser, named name: String? = nil, hasGrammar: Bool = false
    ) {
      self.name = name ?? recogniser.name.description
      self.hasGrammar = hasGrammar
      configuration = recogniser.configuration
      locale = Locale(identifier: "en-US")
      count = recogniser.entry.isLocal ? ProcessInfo.processInfo.activeProcessorCount : 4
    }
  }

  /// A voice under test.
  public struct Voice: Sendable {
    /// The name in reports.
    public var name: String
    /// True if a line is spoken once and kept for all recognisers, because speaking costs money or
    /// time, or differs each time.
    let isKept: Bool
    /// Lets the voice speak a line, which has that number in the bench.
    var perform: @Sendable (_ number: Int, _ line: String) async throws -> SpokenPerformance

    /// Creates an entry for whatever produces the audio of a line.
    init(
      name: String,
      perform: @escaping @Sendable (_ number: Int, _ line: String) async throws -> SpokenPerformance
    ) {
      self.name = name
      isKept = false
      self.perform = perform
    }

    /// Creates an entry for a local voice.
    public init(_ speaker: Speaker) {
      name = speaker.name
      isKept = false
      perform = { try await speaker.perform($1) }
    }

    /// Creates an entry for a voice of any engine, such as a service. Each line is requested once
    /// and kept in memory.
    ///
    /// - Parameters:
    ///   - voice: The engine's identifier of the voice; empty for the default.
    ///   - level: The loudness in decibels below full scale.
    public init<Engine: VoiceEngine>(
      _ name: String, of engine: Engine, configuration: Engine.Configuration, voice: String = "",
      level: Double = Speaker.defaultLevel
    ) {
      self.name = name
      isKept = true
      perform = {
        try await SpokenPerformance(
          of: $1, by: engine, configuration, voice: voice, level: level)
      }
    }
  }
}

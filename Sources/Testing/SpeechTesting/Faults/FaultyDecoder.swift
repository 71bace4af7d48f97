import SpeechConcurrency

/// A decoder that breaks at given times, and otherwise does what the one it wraps does.
///
/// ```swift
/// let breaking = DecoderBreak(clock: world.clock, at: [.seconds(3)])
/// let provider = DecoderRecognitionProvider<FaultyDecoder<PocketSphinxDecoder>>(
///   configuration: .init(inner: PocketSphinxConfiguration(), breaking: breaking),
///   input: microphone)
/// ```
public final class FaultyDecoder<Inner: SpeechDecoder>: SpeechDecoder {
  /// The configuration of the inner decoder, and the times of the breaks.
  public struct Configuration: Sendable {
    /// The configuration of the inner decoder.
    public var inner: Inner.Configuration
    /// The times at which it breaks.
    public var breaking: DecoderBreak

    /// Creates a configuration with the times of the breaks.
    public init(inner: Inner.Configuration, breaking: DecoderBreak) {
      self.inner = inner
      self.breaking = breaking
    }
  }

  /// The identifier of the inner decoder.
  public static var identifier: String { Inner.identifier }
  /// True if the inner decoder is available.
  public static var isAvailable: Bool { Inner.isAvailable }

  private let inner: Inner
  private let breaking: DecoderBreak

  /// Creates the inner decoder for a language.
  public init(configuration: Configuration, locale: Locale) throws {
    inner = try Inner(configuration: configuration.inner, locale: locale)
    breaking = configuration.breaking
  }

  /// The format of the inner decoder.
  public var format: AudioFormat { inner.format }

  /// Passes the input to the inner decoder, or breaks at the first audio after one of the times.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .audio, .utterance:
      guard breaking.isDue() else { break }
      _ = try await inner.hear(.discard, partial: partial)
      throw SpeechRecognitionError.recognitionFailed("it broke, as the test asked for")
    case .silence, .keyPhraseExpected, .start, .finish, .discard: break
    }
    return try await inner.hear(input, partial: partial)
  }
}

/// The times at which a `FaultyDecoder` breaks: with the first audio of an utterance after each of
/// them.
public final class DecoderBreak: Sendable {
  private let clock: any DeviceClock
  private let times: Guarded<[Duration]>

  /// Creates breaks at times of a clock.
  public init(clock: any DeviceClock, at times: [Duration]) {
    self.clock = clock
    self.times = Guarded(times.sorted())
  }

  func isDue() -> Bool {
    let now = clock.time
    return times.withLock { times in
      guard let first = times.first, first <= now else { return false }
      times.removeFirst()
      return true
    }
  }
}

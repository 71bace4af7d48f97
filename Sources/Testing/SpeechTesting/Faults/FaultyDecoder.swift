import SpeechConcurrency

/// A decoder that breaks when it is told to, and is another one otherwise.
///
/// ```swift
/// let breaking = DecoderBreak(clock: world.clock, at: [.seconds(3)])
/// let provider = DecoderRecognitionProvider<FaultyDecoder<PocketSphinxDecoder>>(
///   configuration: .init(inner: PocketSphinxConfiguration(), breaking: breaking), input: microphone)
/// ```
public final class FaultyDecoder<Inner: SpeechDecoder>: SpeechDecoder {
  /// The decoder's configuration and when it breaks.
  public struct Configuration: Sendable {
    /// The decoder's.
    public var inner: Inner.Configuration
    /// When it breaks.
    public var breaking: DecoderBreak

    /// A configuration.
    public init(inner: Inner.Configuration, breaking: DecoderBreak) {
      self.inner = inner
      self.breaking = breaking
    }
  }

  /// The decoder's.
  public static var identifier: String { Inner.identifier }
  /// The decoder's.
  public static var isAvailable: Bool { Inner.isAvailable }

  private let inner: Inner
  private let breaking: DecoderBreak

  /// A decoder for that language.
  public init(configuration: Configuration, locale: Locale) throws {
    inner = try Inner(configuration: configuration.inner, locale: locale)
    breaking = configuration.breaking
  }

  /// The decoder's.
  public var format: AudioFormat { inner.format }

  /// Passes the input to the decoder, or breaks at the first audio after one of the times.
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

/// When a `FaultyDecoder` breaks: with the first sound of an utterance behind each of these times.
public final class DecoderBreak: Sendable {
  private let clock: any DeviceClock
  private let times: Guarded<[Duration]>

  /// Breaks at these times of the clock.
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

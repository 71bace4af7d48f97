import SpeechConcurrency
import SpeechLab

/// A decoder that breaks at given times or hears through a hiss of its own, and otherwise does what
/// the one it wraps does.
///
/// ```swift
/// let breaking = DecoderBreak(clock: world.clock, at: [.seconds(3)])
/// let provider = DecoderRecognitionProvider<FaultyDecoder<PocketSphinxDecoder>>(
///   configuration: .init(inner: PocketSphinxConfiguration(), breaking: breaking),
///   input: microphone)
/// ```
/// The hiss plants a regression, to test whether tests and baselines notice:
/// ```swift
/// let worse = RecognitionLab.Recogniser(
///   "pocketsphinx", of: FaultyDecoder<PocketSphinxDecoder>.self,
///   configuration: .init(inner: configuration, hiss: -45))
/// ```
public final class FaultyDecoder<Inner: SpeechDecoder>: SpeechDecoder {
  /// The configuration of the inner decoder, and its faults.
  public struct Configuration: Sendable {
    /// The configuration of the inner decoder.
    public var inner: Inner.Configuration
    /// The times at which it breaks; `nil` for none.
    public var breaking: DecoderBreak?
    /// The level of the hiss, in decibels below full scale; `nil` for none.
    public var hiss: Double?

    /// Creates a configuration with faults.
    public init(
      inner: Inner.Configuration, breaking: DecoderBreak? = nil, hiss: Double? = nil
    ) {
      self.inner = inner
      self.breaking = breaking
      self.hiss = hiss
    }
  }

  /// The identifier of the inner decoder.
  public static var identifier: String { Inner.identifier }
  /// True if the inner decoder is available.
  public static var isAvailable: Bool { Inner.isAvailable }

  private let inner: Inner
  private let breaking: DecoderBreak?
  private let hiss: Double?
  private var random = SeededNumbers(seed: 1, part: "hiss")

  /// Creates the inner decoder for a language.
  public init(configuration: Configuration, locale: Locale) throws {
    inner = try Inner(configuration: configuration.inner, locale: locale)
    breaking = configuration.breaking
    hiss = configuration.hiss
  }

  /// The format of the inner decoder.
  public var format: AudioFormat { inner.format }

  /// Passes the input to the inner decoder, or breaks at the first audio after one of the times.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .audio, .utterance:
      guard breaking?.isDue() == true else { break }
      _ = try await inner.hear(.discard, partial: partial)
      throw SpeechRecognitionError.recognitionFailed("it broke, as the test asked for")
    case .silence, .keyPhraseExpected, .context, .start, .paused, .finish, .discard: break
    }
    return try await inner.hear(hissing(input), partial: partial)
  }

  /// Each utterance has the same hiss, so the result does not depend on those before it.
  private func hissing(_ input: DecoderInput) -> DecoderInput {
    switch input {
    case .audio(let audio): return .audio(hissing(audio))
    case .start, .utterance: random = SeededNumbers(seed: 1, part: "hiss")
    case .silence, .keyPhraseExpected, .context, .paused, .finish, .discard: break
    }
    return if case .utterance(let audio) = input { .utterance(hissing(audio)) } else { input }
  }

  private func hissing(_ audio: PCMBuffer) -> PCMBuffer {
    guard let hiss else { return audio }
    // Uniform numbers reach √3 times as far as their standard deviation.
    let reach = 32_768 * pow(10, hiss / 20) * 3.0.squareRoot()
    let samples = audio.samples.map { sample in
      Int16(clamping: Int(Double(sample) + (random.fraction() * 2 - 1) * reach))
    }
    return PCMBuffer(samples: samples, format: audio.format)
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

import SpeechConcurrency
import SpeechLab

/// A decoder that hears worse than the one it wraps, through a hiss of its own. It plants a
/// regression, to test whether tests and baselines notice.
///
/// ```swift
/// let worse = RecognitionLab.Ear(
///   "pocketsphinx", of: DullDecoder<PocketSphinxDecoder>.self,
///   configuration: .init(inner: configuration, hiss: -45))
/// ```
public final class DullDecoder<Inner: SpeechDecoder>: SpeechDecoder {
  /// The configuration of the inner decoder, and the level of the hiss.
  public struct Configuration: Sendable {
    /// The configuration of the inner decoder.
    public var inner: Inner.Configuration
    /// The level of the hiss, in decibels below full scale.
    public var hiss: Double

    /// Creates a configuration with a level of hiss.
    public init(inner: Inner.Configuration, hiss: Double) {
      self.inner = inner
      self.hiss = hiss
    }
  }

  /// The identifier of the inner decoder.
  public static var identifier: String { Inner.identifier }
  /// True if the inner decoder is available.
  public static var isAvailable: Bool { Inner.isAvailable }

  private let inner: Inner
  private let hiss: Double
  private var random = SeededNumbers(seed: 1, part: "hiss")

  /// Creates the inner decoder for a language.
  public init(configuration: Configuration, locale: Locale) throws {
    inner = try Inner(configuration: configuration.inner, locale: locale)
    hiss = configuration.hiss
  }

  /// The format of the inner decoder.
  public var format: AudioFormat { inner.format }

  /// Passes the input to the inner decoder, with the hiss in its audio. Each utterance has the same
  /// hiss, so the result does not depend on those before it.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .start:
      random = SeededNumbers(seed: 1, part: "hiss")
    case .audio(let audio):
      return try await inner.hear(.audio(hissing(audio)), partial: partial)
    case .utterance(let audio):
      random = SeededNumbers(seed: 1, part: "hiss")
      return try await inner.hear(.utterance(hissing(audio)), partial: partial)
    case .silence, .keyPhraseExpected, .finish, .discard: break
    }
    return try await inner.hear(input, partial: partial)
  }

  private func hissing(_ audio: PCMBuffer) -> PCMBuffer {
    // Uniform numbers reach √3 times as far as their standard deviation.
    let reach = 32_768 * pow(10, hiss / 20) * 3.0.squareRoot()
    let samples = audio.samples.map { sample in
      Int16(clamping: Int(Double(sample) + (random.fraction() * 2 - 1) * reach))
    }
    return PCMBuffer(samples: samples, format: audio.format)
  }
}

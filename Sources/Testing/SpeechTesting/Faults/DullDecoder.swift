import SpeechConcurrency
import SpeechLab

/// A decoder that hears worse than the other one that it is: through a hiss of its own. It plants a regression,
/// to see whether tests and baselines notice one.
///
/// ```swift
/// let worse = RecognitionLab.Ear(
///   "pocketsphinx", of: DullDecoder<PocketSphinxDecoder>.self,
///   configuration: .init(inner: configuration, hiss: -45))
/// ```
public final class DullDecoder<Inner: SpeechDecoder>: SpeechDecoder {
  /// The decoder's configuration and how much worse it hears.
  public struct Configuration: Sendable {
    /// The decoder's.
    public var inner: Inner.Configuration
    /// How loud the hiss is, in decibels below full scale.
    public var hiss: Double

    /// A configuration.
    public init(inner: Inner.Configuration, hiss: Double) {
      self.inner = inner
      self.hiss = hiss
    }
  }

  /// The decoder's.
  public static var identifier: String { Inner.identifier }
  /// The decoder's.
  public static var isAvailable: Bool { Inner.isAvailable }

  private let inner: Inner
  private let hiss: Double
  private var random = SeededNumbers(seed: 1, part: "hiss")

  /// A decoder for that language.
  public init(configuration: Configuration, locale: Locale) throws {
    inner = try Inner(configuration: configuration.inner, locale: locale)
    hiss = configuration.hiss
  }

  /// The decoder's.
  public var format: AudioFormat { inner.format }

  /// Passes the input to the decoder, its audio with the hiss. Each utterance has the same hiss, so the
  /// result does not depend on those before it.
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
    // Numbers that are as likely from one end to the other reach √3 times as far as they do on average.
    let reach = 32_768 * pow(10, hiss / 20) * 3.0.squareRoot()
    let samples = audio.samples.map { sample in
      Int16(clamping: Int(Double(sample) + (random.fraction() * 2 - 1) * reach))
    }
    return PCMBuffer(samples: samples, format: audio.format)
  }
}

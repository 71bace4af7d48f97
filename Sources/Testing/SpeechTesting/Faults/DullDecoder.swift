import SpeechConcurrency

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

  /// Tells the decoder.
  public func passSilence(_ duration: Duration) async { await inner.passSilence(duration) }

  /// Begins an utterance. Each has the same hiss, so that it is no matter which came before.
  public func startUtterance() async throws {
    random = SeededNumbers(seed: 1, part: "hiss")
    try await inner.startUtterance()
  }

  /// Hears the next stretch.
  public func process(_ audio: PCMBuffer) async throws -> DecoderUpdate {
    try await inner.process(hissing(audio))
  }

  /// Ends the utterance.
  public func finishUtterance() async throws -> DecodedUtterance? {
    try await inner.finishUtterance()
  }

  /// Ends the utterance, and tells what it is by and by.
  public func finishUtterance(
    onPartial: @Sendable (String) async -> Void
  ) async throws -> DecodedUtterance? {
    try await inner.finishUtterance(onPartial: onPartial)
  }

  /// Tells the decoder.
  public func expectKeyPhrase(_ isExpected: Bool) async { await inner.expectKeyPhrase(isExpected) }

  /// Ends the utterance without a result.
  public func discardUtterance() async { await inner.discardUtterance() }

  /// Hears all of an utterance.
  public func decode(_ utterance: PCMBuffer) async throws -> DecodedUtterance? {
    random = SeededNumbers(seed: 1, part: "hiss")
    return try await inner.decode(hissing(utterance))
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

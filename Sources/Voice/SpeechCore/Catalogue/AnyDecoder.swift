import Foundation
import SpeechAudio

/// Any decoder, so that code can hold decoders of different recognisers.
///
/// ```swift
/// let transcriber = SpeechTranscriber<AnyDecoder>(configuration: recogniser.configuration)
/// ```
public final class AnyDecoder: SpeechDecoder {
  /// A kind of decoder together with its configuration.
  public struct Configuration: Sendable {
    fileprivate let make: @Sendable (Locale) throws -> any SpeechDecoder

    /// The configuration of that kind of decoder.
    public init<Decoder: SpeechDecoder>(
      of decoder: Decoder.Type, configuration: Decoder.Configuration
    ) {
      make = { try Decoder(configuration: configuration, locale: $0) }
    }
  }

  /// The identifier for any decoder.
  public static let identifier = "com.speechkit.any"
  /// Always true; a missing model is reported when the decoder is created.
  public static let isAvailable = true

  private let base: any SpeechDecoder

  /// Creates the decoder of that configuration.
  public init(configuration: Configuration, locale: Locale) throws {
    base = try configuration.make(locale)
  }

  /// The format that the decoder inside hears.
  public var format: AudioFormat { base.format }

  /// Passes the call on.
  public nonisolated(nonsending) func passSilence(_ duration: Duration) async {
    await base.passSilence(duration)
  }

  /// Passes the call on.
  public nonisolated(nonsending) func expectKeyPhrase(_ isExpected: Bool) async {
    await base.expectKeyPhrase(isExpected)
  }

  /// Passes the call on.
  public nonisolated(nonsending) func startUtterance() async throws {
    try await base.startUtterance()
  }

  /// Passes the call on.
  public nonisolated(nonsending) func process(_ audio: PCMBuffer) async throws -> DecoderUpdate {
    try await base.process(audio)
  }

  /// Passes the call on.
  public nonisolated(nonsending) func finishUtterance() async throws -> DecodedUtterance? {
    try await base.finishUtterance()
  }

  /// Passes the call on.
  public nonisolated(nonsending) func finishUtterance(
    onPartial: @Sendable (String) async -> Void
  ) async throws -> DecodedUtterance? {
    try await base.finishUtterance(onPartial: onPartial)
  }

  /// Passes the call on.
  public nonisolated(nonsending) func discardUtterance() async { await base.discardUtterance() }

  /// Passes the call on.
  public nonisolated(nonsending) func decode(
    _ utterance: PCMBuffer
  ) async throws -> DecodedUtterance? {
    try await base.decode(utterance)
  }
}

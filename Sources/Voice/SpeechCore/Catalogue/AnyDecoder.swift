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

  /// The audio format of the decoder inside.
  public var format: AudioFormat { base.format }

  /// Passes the input to the decoder inside.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    try await base.hear(input, partial: partial)
  }
}

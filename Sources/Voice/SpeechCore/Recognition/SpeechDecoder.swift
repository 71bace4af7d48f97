import Foundation
import SpeechAudio

/// The boundary to one recognition library or service: audio in, words out.
///
/// A decoder has no access to devices, listeners or tasks. One owner calls it, one call after the
/// other, on a queue outside the cooperative pool, so a conformance may block.
///
/// Laws: between `start` and `finish` or `discard` there are any number of `audio` inputs. No input
/// in any order crashes. Times count from the first sample of the utterance. Silence produces no
/// utterance, and a broken decoder throws; neither produces an empty text. `DecoderConformance` in
/// SpeechTesting checks them.
///
/// ```swift
/// final class LoudnessDecoder: SpeechDecoder {
///   // …
///   func hear(
///     _ input: DecoderInput, partial: @Sendable (String) async -> Void
///   ) throws -> DecoderOutput {
///     switch input {
///     case .start, .discard: level = -100
///     case .audio(let audio): level = max(level, audio.level)
///     case .finish: return DecoderOutput(utterance: reading())
///     case .utterance(let audio): return DecoderOutput(utterance: reading(of: audio))
///     case .silence, .keyPhraseExpected, .context, .paused: break
///     }
///     return DecoderOutput()
///   }
/// }
/// ```
public protocol SpeechDecoder: AnyObject, SendableMetatype {
  /// The settings of the decoder: models, vocabulary, keys.
  associatedtype Configuration: Sendable

  /// The identifier of the recogniser, in reverse domain order.
  static var identifier: String { get }

  /// A Boolean value that indicates whether the decoder can run on this machine as installed.
  static var isAvailable: Bool { get }

  /// Creates a decoder for that language.
  ///
  /// - Throws: `SpeechRecognitionError` when a model is missing or broken.
  init(configuration: Configuration, locale: Locale) throws

  /// The audio format that the decoder accepts.
  var format: AudioFormat { get }

  /// Handles one input.
  ///
  /// Audio comes in `format`. A decoder around another one forwards the inputs that it does not
  /// handle itself, with the same `partial`.
  ///
  /// - Parameter partial: reports the text of the utterance so far, for decoders that take their
  ///   time after `finish` or `utterance`.
  /// - Throws: `SpeechRecognitionError` when the input is out of order or the decoder fails,
  ///   `CancellationError` when the task is cancelled.
  nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput
}

extension SpeechDecoder {
  /// Handles one input without reporting partial texts during it.
  public nonisolated(nonsending) func hear(_ input: DecoderInput) async throws -> DecoderOutput {
    try await hear(input) { _ in }
  }

  /// Handles a complete utterance as a start, one stretch of audio and a finish.
  ///
  /// The implementation of `DecoderInput.utterance` for decoders that do not benefit from having
  /// all of the audio in advance.
  public nonisolated(nonsending) func hearStreamed(
    _ utterance: PCMBuffer, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    _ = try await hear(.start, partial: partial)
    do {
      _ = try await hear(.audio(utterance), partial: partial)
    } catch {
      _ = try? await hear(.discard, partial: partial)
      throw error
    }
    return try await hear(.finish, partial: partial)
  }
}

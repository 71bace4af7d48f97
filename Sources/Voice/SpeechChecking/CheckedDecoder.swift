import Foundation
import SpeechAudio
import SpeechCore

/// Checks the words of another decoder against the audio.
///
/// A recogniser that guesses words from their context also guesses where nothing was said, and
/// writes common words for names. Here the phones of the words are aligned with the audio, and must
/// fit better than those of other words of the same length. A word without support is struck out or
/// marked; a term of the user's vocabulary that sounds alike and fits better replaces it. The
/// recogniser needs neither word times nor confidences; words without times get some.
///
/// ```swift
/// let configuration = CheckedConfiguration<WhisperDecoder>(
///   WhisperConfiguration(), check: WordCheck(vocabulary: ["Siobhan"]))
/// let transcriber = SpeechTranscriber<CheckedDecoder<WhisperDecoder>>(
///   configuration: configuration)
/// ```
/// Partial texts, key phrases and rejected utterances are passed on as they are. No part of a
/// partial text is stable, because the check may still change it.
public final class CheckedDecoder<Base: SpeechDecoder>: SpeechDecoder {
  /// The identifier of the decoder that is checked.
  public static var identifier: String { Base.identifier }

  /// True if the decoder that is checked can run on this machine.
  public static var isAvailable: Bool { Base.isAvailable }

  /// The audio format of the decoder that is checked.
  public var format: AudioFormat { base.format }

  private let base: Base
  private let checker: WordChecker
  private var audio: PCMBuffer

  /// Creates the decoder and loads the acoustic model of that language.
  ///
  /// - Throws: `SpeechRecognitionError` when either is missing or broken.
  public init(configuration: CheckedConfiguration<Base>, locale: Locale) throws {
    base = try Base(configuration: configuration.base, locale: locale)
    checker = try WordChecker(configuration.check, locale: locale)
    audio = PCMBuffer(format: base.format)
  }

  /// Passes the input to the decoder that is checked, and checks its result.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .start, .discard: audio = PCMBuffer(format: base.format)
    case .audio(let next): if next.format == audio.format { audio.append(next) }
    case .utterance(let all): audio = all
    case .silence, .keyPhraseExpected, .context, .paused, .finish: break
    }
    defer { if input.endsUtterance { audio = PCMBuffer(format: base.format) } }
    var output = try await base.hear(input, partial: partial)
    // The check may remove or replace any word of the result.
    output.stableText = ""
    guard let utterance = output.utterance else { return output }
    output.utterance = try checker.check(utterance, in: audio.resampled(to: .recognition))
    return output
  }
}

/// The configuration of a decoder and of the check of its words.
///
/// ```swift
/// CheckedConfiguration<WhisperDecoder>(WhisperConfiguration(), check: WordCheck(.mark))
/// ```
public struct CheckedConfiguration<Base: SpeechDecoder>: Sendable {
  /// The configuration of the decoder that is checked.
  public var base: Base.Configuration
  /// The settings of the check.
  public var check: WordCheck

  /// Creates a configuration.
  public init(_ base: Base.Configuration, check: WordCheck = WordCheck()) {
    self.base = base
    self.check = check
  }
}

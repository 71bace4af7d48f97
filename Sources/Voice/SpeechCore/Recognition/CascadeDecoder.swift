import Foundation
import SpeechAudio

/// Recognises the sentences of a grammar with one decoder, and with another one whatever the first
/// one rejects.
///
/// The grammar is nearly perfect and costs almost nothing; free speech needs a model that costs
/// ten times as much and is worse at commands. Each utterance goes to where it is recognised best:
/// ```swift
/// let commands = PocketSphinxConfiguration(search: .grammar(lights), acceptance: .recommended)
/// let transcriber = SpeechTranscriber<CascadeDecoder<PocketSphinxDecoder, WhisperDecoder>>(
///   configuration: .init(command: commands, other: WhisperConfiguration(model: "tiny.en")))
/// ```
/// The other decoder is loaded when it is needed for the first time. If it fails, the utterance is
/// rejected with its error (`RejectedUtterance.failure`), which is reported once, until it works
/// again or fails in another way.
public final class CascadeDecoder<Command: SpeechDecoder, Other: SpeechDecoder>: SpeechDecoder {
  /// The configurations of both decoders.
  ///
  /// ```swift
  /// CascadeDecoder<PocketSphinxDecoder, WhisperDecoder>.Configuration(
  ///   command: commands, other: WhisperConfiguration())
  /// ```
  public struct Configuration: Sendable {
    /// The configuration of the decoder that rejects what it does not listen for.
    public var command: Command.Configuration
    /// The configuration of the decoder of everything else.
    public var other: Other.Configuration

    /// Creates a configuration from those of the two decoders.
    public init(command: Command.Configuration, other: Other.Configuration) {
      self.command = command
      self.other = other
    }
  }

  /// The identifier of the decoder that recognises commands.
  public static var identifier: String { Command.identifier }

  /// True if both decoders can run on this machine.
  public static var isAvailable: Bool { Command.isAvailable && Other.isAvailable }

  /// The audio format of the decoder that recognises commands.
  public var format: AudioFormat { command.format }

  private let command: Command
  private let cascade: RecognitionCascade
  private var audio: PCMBuffer
  private var context = ""
  /// The last error of the other decoder, which has been reported; `nil` while it works.
  private var failure: SpeechRecognitionError?

  /// Creates a decoder for that language.
  ///
  /// - Throws: `SpeechRecognitionError` when the first decoder cannot be loaded.
  public init(configuration: Configuration, locale: Locale) throws {
    command = try Command(configuration: configuration.command, locale: locale)
    cascade = RecognitionCascade([
      .init(Other.self, configuration: configuration.other, locale: locale)
    ])
    audio = PCMBuffer(format: command.format)
  }

  /// Passes the input to the first decoder, and the audio of a rejected utterance to the other one.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .start, .discard: audio = PCMBuffer(format: command.format)
    // The first decoder refuses audio of another format.
    case .audio(let next): if next.format == audio.format { audio.append(next) }
    case .utterance(let all): audio = all
    case .context(let text): context = text
    case .silence, .keyPhraseExpected, .paused, .finish: break
    }
    let output = try await command.hear(input, partial: partial)
    guard input.wantsResult else { return output }
    defer { audio = PCMBuffer(format: command.format) }
    guard var decoded = output.utterance, !decoded.isAccepted else { return output }
    do {
      let reading = try await cascade.reading(of: audio, after: context)
      failure = nil
      return DecoderOutput(utterance: reading ?? decoded)
    } catch let error as CancellationError {
      throw error
    } catch {
      // What was said is reported as rejected, with its audio.
      let error = SpeechRecognitionError(error)
      if error != failure { decoded.failure = error }
      failure = error
      return DecoderOutput(utterance: decoded)
    }
  }
}

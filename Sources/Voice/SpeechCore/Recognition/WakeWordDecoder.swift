import Foundation
import SpeechAudio

/// Waits for a key phrase and only then recognises speech, from the end of the phrase on: in the
/// same breath, or after a pause.
///
/// The phrase is a result of its own, with `keyPhrase`; the command after it is the next one. The
/// phrase is required again once a command was accepted, or if none began in time. Speech that is
/// not a command, such as a cough, does not end the time. A conversation can set itself when the
/// phrase is required (`DecoderInput.keyPhraseExpected`), and then uses no time window.
///
/// ```swift
/// let wake = WakeWordConfiguration(
///   spotter: PocketSphinxConfiguration(search: .keyPhrases(["computer"])),
///   command: PocketSphinxConfiguration(search: .grammar(lights)))
/// let transcriber = SpeechTranscriber<WakeWordDecoder<PocketSphinxDecoder, PocketSphinxDecoder>>(
///   configuration: wake)
/// ```
public final class WakeWordDecoder<Spotter: SpeechDecoder, Command: SpeechDecoder>: SpeechDecoder {
  /// The identifier of the decoder that recognises commands.
  public static var identifier: String { Command.identifier }

  /// True if both decoders can run on this machine.
  public static var isAvailable: Bool { Spotter.isAvailable && Command.isAvailable }

  /// The audio format of both decoders.
  public var format: AudioFormat { spotter.format }

  private let spotter: Spotter
  private let command: Command
  private enum Attention {
    case phrase
    /// A command may begin within that time, or at any time if it is `nil`.
    case command(left: Duration?)
  }

  private let window: Duration?
  private let preRoll: Duration
  private var attention = Attention.phrase
  /// The duration of the utterance in progress.
  private var heard: Duration = .zero
  /// True if the utterance in progress is decoded as a command.
  private var isCommand = false

  /// Creates a decoder for that language, which waits for the phrase.
  ///
  /// - Throws: `SpeechRecognitionError` when one of the two cannot be loaded, or their formats
  ///   differ.
  public init(configuration: WakeWordConfiguration<Spotter, Command>, locale: Locale) throws {
    spotter = try Spotter(configuration: configuration.spotter, locale: locale)
    command = try Command(configuration: configuration.command, locale: locale)
    window = configuration.window
    preRoll = configuration.preRoll
    guard spotter.format == command.format else {
      throw SpeechRecognitionError.recognitionFailed(
        "The decoder for the key phrase uses \(spotter.format.sampleRate) samples per second, and "
          + "the one for commands \(command.format.sampleRate). Choose two with the same rate.")
    }
  }

  /// Passes the input to the decoder that it is for: the phrase's or the command's.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .silence(let duration):
      if case .command(let left?) = attention {
        attention = left < duration ? .phrase : .command(left: left - duration)
      }
      _ = try await spotter.hear(input, partial: partial)
      return try await command.hear(input, partial: partial)
    case .keyPhraseExpected(let isExpected):
      if isExpected {
        attention = .phrase
      } else if case .phrase = attention {
        attention = .command(left: window)
      }
      return DecoderOutput()
    case .context:
      return try await command.hear(input, partial: partial)
    case .start:
      isCommand = isAwake
      heard = .zero
    case .audio(let audio):
      heard += audio.duration
    case .utterance(let audio):
      isCommand = isAwake
      heard = audio.duration
    case .paused, .finish, .discard:
      break
    }
    guard isCommand else {
      return waking(by: try await spotter.hear(input, partial: partial), input)
    }
    if input.endsUtterance { isCommand = false }
    return sleeping(after: try await command.hear(input, partial: partial), input)
  }

  private var isAwake: Bool {
    if case .command = attention { true } else { false }
  }

  /// Reduces the result to the first phrase in it; the audio after the phrase is decoded again.
  private func waking(by output: DecoderOutput, _ input: DecoderInput) -> DecoderOutput {
    guard input.wantsResult else { return output }
    guard let decoded = output.utterance, decoded.isAccepted,
      let phrase = decoded.keyPhrase ?? decoded.words.first
    else { return DecoderOutput() }
    attention = .command(left: window)
    return DecoderOutput(
      utterance: DecodedUtterance(
        text: phrase.text, confidence: phrase.confidence, words: [phrase], keyPhrase: phrase,
        remainder: max(0, phrase.end - preRoll / .seconds(1))))
  }

  private func sleeping(after output: DecoderOutput, _ input: DecoderInput) -> DecoderOutput {
    guard input.wantsResult, case .command(let left?) = attention else { return output }
    if let decoded = output.utterance, decoded.isAccepted {
      attention = .phrase
    } else {
      attention = left > heard ? .command(left: left - heard) : .phrase
    }
    return output
  }
}

/// The two decoders of a `WakeWordDecoder` and the time for a command.
///
/// ```swift
/// var wake = WakeWordConfiguration<PocketSphinxDecoder, PocketSphinxDecoder>(
///   spotter: PocketSphinxConfiguration(search: .keyPhrases(["computer"])), command: .init())
/// wake.window = .seconds(8)
/// ```
public struct WakeWordConfiguration<Spotter: SpeechDecoder, Command: SpeechDecoder>: Sendable {
  /// The configuration of the decoder that waits for the phrase.
  public var spotter: Spotter.Configuration
  /// The configuration of the decoder that recognises commands.
  public var command: Command.Configuration
  /// The time after the phrase in which a command may begin. With `nil` the phrase is required
  /// again only after `DecoderInput.keyPhraseExpected`.
  public var window: Duration?
  /// The audio before the end of the phrase that the command is decoded with: none, unless its
  /// first phones are lost, or the phrase is part of the command's grammar.
  public var preRoll: Duration

  /// Creates a configuration from those of the two decoders.
  public init(
    spotter: Spotter.Configuration, command: Command.Configuration,
    window: Duration? = .seconds(5), preRoll: Duration = .zero
  ) {
    self.spotter = spotter
    self.command = command
    self.window = window
    self.preRoll = preRoll
  }
}

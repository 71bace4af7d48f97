import Foundation
import SpeechAudio

/// Waits for a key phrase and only then recognises what is said, from the end of the phrase on: in one breath
/// with it, or after a pause.
///
/// The phrase is a result of its own, with `keyPhrase`; the command behind it is the next one. When the command
/// was understood, or nobody began to say one in time, the phrase is waited for again. What is not a command,
/// such as a cough, does not put it to sleep. Who holds a conversation can say itself when the phrase is needed
/// (`expectKeyPhrase`), and then gives no window.
/// ```swift
/// let wake = WakeWordConfiguration(
///   spotter: PocketSphinxConfiguration(search: .keyPhrases(["computer"])),
///   command: PocketSphinxConfiguration(search: .grammar(lights)))
/// let transcriber = SpeechTranscriber<WakeWordDecoder<PocketSphinxDecoder, PocketSphinxDecoder>>(
///   configuration: wake)
/// ```
public final class WakeWordDecoder<Spotter: SpeechDecoder, Command: SpeechDecoder>: SpeechDecoder {
  /// The identifier of what recognises commands.
  public static var identifier: String { Command.identifier }

  /// Whether both could run here.
  public static var isAvailable: Bool { Spotter.isAvailable && Command.isAvailable }

  /// What both hear.
  public var format: AudioFormat { spotter.format }

  private let spotter: Spotter
  private let command: Command
  private enum Attention {
    case phrase
    /// A command may begin for so long; until it is told otherwise if that is `nil`.
    case command(left: Duration?)
  }

  private let window: Duration?
  private let preRoll: Duration
  private var attention = Attention.phrase
  /// The sound of the utterance under way, as a duration.
  private var heard: Duration = .zero
  /// Whether the utterance under way is heard as a command.
  private var isCommand = false

  /// A decoder for that language, which waits for the phrase.
  ///
  /// - Throws: `SpeechRecognitionError` when one of the two cannot be loaded, or they hear different formats.
  public init(configuration: WakeWordConfiguration<Spotter, Command>, locale: Locale) throws {
    spotter = try Spotter(configuration: configuration.spotter, locale: locale)
    command = try Command(configuration: configuration.command, locale: locale)
    window = configuration.window
    preRoll = configuration.preRoll
    guard spotter.format == command.format else {
      throw SpeechRecognitionError.recognitionFailed(
        "What waits for the phrase hears \(spotter.format.sampleRate) samples a second, and what "
          + "recognises commands \(command.format.sampleRate). Choose two that hear the same.")
    }
  }

  /// Lets the time run in which a command may begin.
  public nonisolated(nonsending) func passSilence(_ duration: Duration) async {
    if case .command(let left?) = attention {
      attention = left < duration ? .phrase : .command(left: left - duration)
    }
    await spotter.passSilence(duration)
    await command.passSilence(duration)
  }

  /// Waits for the phrase, or takes what is said next for a command.
  public nonisolated(nonsending) func expectKeyPhrase(_ isExpected: Bool) async {
    if isExpected {
      attention = .phrase
    } else if case .phrase = attention {
      attention = .command(left: window)
    }
  }

  /// Begins an utterance: a command, if the phrase was heard in time.
  public nonisolated(nonsending) func startUtterance() async throws {
    isCommand = isAwake
    heard = .zero
    if isCommand { try await command.startUtterance() } else { try await spotter.startUtterance() }
  }

  /// Hears the next stretch.
  public nonisolated(nonsending) func process(_ audio: PCMBuffer) async throws -> DecoderUpdate {
    heard += audio.duration
    return isCommand ? try await command.process(audio) : try await spotter.process(audio)
  }

  /// Ends the utterance; `nil` if there was neither a phrase nor a command.
  public nonisolated(nonsending) func finishUtterance() async throws -> DecodedUtterance? {
    try await finishUtterance { _ in }
  }

  /// Ends the utterance, telling what is known of a command meanwhile.
  public nonisolated(nonsending) func finishUtterance(
    onPartial: @Sendable (String) async -> Void
  ) async throws -> DecodedUtterance? {
    guard isCommand else { return wake(by: try await spotter.finishUtterance()) }
    isCommand = false
    return sleep(after: try await command.finishUtterance(onPartial: onPartial), heard)
  }

  /// Ends the utterance without a result.
  public nonisolated(nonsending) func discardUtterance() async {
    if isCommand { await command.discardUtterance() } else { await spotter.discardUtterance() }
    isCommand = false
  }

  /// Recognises an utterance that is there as a whole: the first phrase in it, or a command.
  public nonisolated(nonsending) func decode(
    _ utterance: PCMBuffer
  ) async throws -> DecodedUtterance? {
    guard isAwake else { return wake(by: try await spotter.decode(utterance)) }
    return sleep(after: try await command.decode(utterance), utterance.duration)
  }

  private var isAwake: Bool {
    if case .command = attention { true } else { false }
  }

  /// The first phrase that was heard; whatever follows it is heard again.
  private func wake(by decoded: DecodedUtterance?) -> DecodedUtterance? {
    guard let decoded, decoded.isAccepted, let phrase = decoded.keyPhrase ?? decoded.words.first
    else { return nil }
    attention = .command(left: window)
    return DecodedUtterance(
      text: phrase.text, confidence: phrase.confidence, words: [phrase], keyPhrase: phrase,
      remainder: max(0, phrase.end - preRoll / .seconds(1)))
  }

  private func sleep(
    after decoded: DecodedUtterance?, _ heard: Duration
  ) -> DecodedUtterance? {
    guard case .command(let left?) = attention else { return decoded }
    if let decoded, decoded.isAccepted {
      attention = .phrase
    } else {
      attention = left > heard ? .command(left: left - heard) : .phrase
    }
    return decoded
  }
}

/// What waits for a phrase, and what hears the command behind it.
///
/// ```swift
/// var wake = WakeWordConfiguration<PocketSphinxDecoder, PocketSphinxDecoder>(
///   spotter: PocketSphinxConfiguration(search: .keyPhrases(["computer"])), command: .init())
/// wake.window = .seconds(8)
/// ```
public struct WakeWordConfiguration<Spotter: SpeechDecoder, Command: SpeechDecoder>: Sendable {
  /// What the one that waits for the phrase needs to know.
  public var spotter: Spotter.Configuration
  /// What the one that recognises commands needs to know.
  public var command: Command.Configuration
  /// How long after the phrase a command may begin; with `nil` it is somebody else who says when the phrase is
  /// needed again (`SpeechDecoder.expectKeyPhrase`).
  public var window: Duration?
  /// How much of the sound before the end of the phrase the command is recognised with: none, unless its first
  /// sounds are lost, or the phrase is part of the command's grammar.
  public var preRoll: Duration

  /// A configuration.
  public init(
    spotter: Spotter.Configuration, command: Command.Configuration,
    window: Duration? = .seconds(5),
    preRoll: Duration = .zero
  ) {
    self.spotter = spotter
    self.command = command
    self.window = window
    self.preRoll = preRoll
  }
}

import Foundation

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
    window: Duration? = .seconds(5),
    preRoll: Duration = .zero
  ) {
    self.spotter = spotter
    self.command = command
    self.window = window
    self.preRoll = preRoll
  }
}

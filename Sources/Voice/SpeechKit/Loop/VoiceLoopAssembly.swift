import Foundation

/// A voice loop's recogniser, voice and rules, created from settings and ready for devices.
///
/// ```swift
/// var settings = ConversationSettings()
/// settings.recogniser = "pocketsphinx:fast"
/// settings.voice = "flite:slt"
/// settings.rules.attention = .wakeWord(["computer"], window: .seconds(8))
/// let loop = try await VoiceLoopAssembly(settings).makeLoop(responder: EchoResponder())
/// try await loop.start()
/// ```
/// The command line, replays and scenarios assemble their loops in the same way, so that every
/// feature works in all of them.
public struct VoiceLoopAssembly: Sendable {
  /// The settings, with the full names of the recogniser and the voice.
  public let settings: ConversationSettings
  /// The recogniser; if a wake word is set, it waits for that first.
  public let recogniser: AnyRecogniser
  /// The voice that replies.
  public let voice: AnyVoice

  private let endRule: UtteranceEndRule

  /// Creates the recogniser and the voice.
  ///
  /// - Parameters:
  ///   - grammar: what may be said, instead of the settings' grammar.
  ///   - style: the voice's pace, pitch and volume.
  ///   - spotsWakeWord: true to have a spotter wait for the wake word; false to recognise
  ///     everything, and find the wake word in the text.
  /// - Throws: `SpeechCatalogError` for names and settings that the catalogue cannot serve;
  ///   `JSGFError` and `CommandGrammarError` for a broken grammar.
  public init(
    _ settings: ConversationSettings, grammar: CommandGrammar? = nil,
    style: SpeakingStyle = .default, spotsWakeWord: Bool = true,
    catalog: SpeechCatalog = .current
  ) async throws {
    voice = try await catalog.voice(settings.voice ?? "", settings: VoiceSettings(style: style))
    let written = try settings.grammar.map { CommandGrammar(try JSGFGrammar($0)) }
    let commands = (grammar ?? written)?.inConversation(settings.rules)
    endRule = try commands.map { .grammar(try CommandMatcher($0)) } ?? .english()
    let other = commands == nil ? nil : try settings.otherRecogniser.map(catalog.recogniserName)
    recogniser = try catalog.recogniser(
      try catalog.recogniserName(settings.recogniser),
      settings: try settings.recogniserSettings(commands), otherwise: other,
      wakingBy: spotsWakeWord ? settings.wakePhrases.map(\.description) : [],
      spotter: try settings.spotter.map(catalog.recogniserName), window: nil)
    var settings = settings
    settings.voice = voice.name.description
    settings.recogniser = recogniser.name.description
    self.settings = settings
  }

  /// Checks that the models and keys of the recogniser and the voice are present.
  ///
  /// - Throws: whatever their backends throw.
  public func checkAccess() async throws {
    try await recogniser.checkAccess(locale: Locale(identifier: settings.language))
    try await voice.checkAccess()
  }

  /// Creates a loop on those devices.
  ///
  /// - Parameters:
  ///   - recognition: a provider to hear with instead of the recogniser's.
  ///   - synthesis: a provider to speak with instead of the voice's.
  ///   - endsWithInput: true to end the loop with the input, as at the end of a file.
  @MainActor public func makeLoop(
    on devices: VoiceLoopDevices = VoiceLoopDevices(), responder: any Responder,
    recognition: (any SpeechRecognitionProvider)? = nil,
    synthesis: (any SpeechSynthesisProvider)? = nil, endsWithInput: Bool = false
  ) -> VoiceLoop {
    var configuration = VoiceLoopConfiguration(
      rules: settings.rules, locale: Locale(identifier: settings.language), voice: voice.voice,
      greeting: settings.greeting, endRule: endRule, endsWithInput: endsWithInput,
      aligner: PocketSphinxAligner())
    if settings.rules.hasEarcon { configuration.earcon = Earcon(output: devices.speaker) }
    return VoiceLoop(
      recognition: SpeechRecognitionEngine(
        provider: recognition ?? recogniser.makeProvider(input: devices.microphone)),
      responder: responder,
      synthesis: SpeechSynthesisEngine(
        provider: synthesis ?? voice.makeProvider(output: devices.speaker)),
      configuration: configuration, clock: devices.clock)
  }
}

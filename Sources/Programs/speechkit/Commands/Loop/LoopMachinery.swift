import Foundation
import SpeechKit

/// What a conversation is held with, looked at and ready, so that what is missing is told before anything is
/// said.
struct LoopMachinery: Sendable {
  let settings: ConversationSettings
  private let recognition: PocketSphinxConfiguration
  private let endRule: UtteranceEndRule
  private let voice: CommandVoice

  /// - Throws: `CommandFailure` when a model, a grammar or a voice is missing or broken.
  init(_ settings: ConversationSettings, voice name: VoiceName?) async throws {
    let voice = try await CommandVoice(
      name ?? settings.voice.map { try VoiceName($0) } ?? VoiceName(), style: .default)
    self.voice = voice
    var settings = settings
    settings.voice = voice.name
    self.settings = settings
    var search = PocketSphinxSearch.dictation
    var rule = UtteranceEndRule.english()
    if let text = settings.grammar {
      do {
        let grammar = CommandGrammar(try JSGFGrammar(text)).inConversation(settings.rules)
        search = .grammar(try grammar.jsgfText())
        rule = .grammar(try CommandMatcher(grammar))
      } catch {
        throw CommandFailure(.badData, error.localizedDescription)
      }
    }
    endRule = rule
    do {
      let model = try PocketSphinxModel.find(for: Locale(identifier: settings.language))
      if model.languageModel == nil, settings.grammar == nil, settings.options["model"] == nil {
        throw CommandFailure(
          .unavailable,
          "The model in “\(model.folder.path)” has no language model. Pass --grammar, or put a file that "
            + "ends in .lm.bin there.")
      }
    } catch let error as SpeechRecognitionError {
      throw CommandFailure(.unavailable, error.localizedDescription)
    }
    var recognition = PocketSphinxConfiguration(
      search: search,
      preset: settings.options["preset"].flatMap(PocketSphinxPreset.init(rawValue:)) ?? .balanced,
      acceptance: settings.grammar == nil ? .off : settings.acceptance
    ).withStandardPronunciations
    if let model = settings.options["model"] {
      recognition.use(try LanguageModelFolder(URL(filePath: model)))
    }
    self.recognition = recognition
  }

  /// A loop with these devices.
  @MainActor func makeLoop(
    microphone: any AudioInput, speaker: any AudioOutput, responder: any Responder,
    clock: any DeviceClock, endsWithInput: Bool
  ) -> VoiceLoop {
    var configuration = VoiceLoopConfiguration(
      rules: settings.rules, locale: Locale(identifier: settings.language), voice: voice.voice,
      greeting: settings.greeting, endRule: endRule, endsWithInput: endsWithInput,
      aligner: PocketSphinxAligner())
    if settings.rules.hasEarcon { configuration.earcon = Earcon(output: speaker) }
    return VoiceLoop(
      recognition: SpeechRecognitionEngine(provider: makeProvider(input: microphone)),
      responder: responder,
      synthesis: SpeechSynthesisEngine(provider: voice.makeProvider(output: speaker)),
      configuration: configuration, clock: clock)
  }

  /// What hears: behind a wake word, a spotter made for nothing else until it was said.
  @MainActor private func makeProvider(
    input: any AudioInput
  ) -> any SpeechRecognitionProvider {
    let phrases = settings.wakePhrases
    let segmenter = SpeechSegmenterConfiguration()
    guard !phrases.isEmpty else {
      return PocketSphinxRecognitionProvider(
        configuration: recognition, input: input, segmenter: segmenter)
    }
    var spotter = recognition
    spotter.search = .keyPhrases(phrases)
    spotter.acceptance = .off
    return DecoderRecognitionProvider<PocketSphinxWakeWordDecoder>(
      configuration: PocketSphinxWakeWordDecoder.Configuration(
        spotter: spotter, command: recognition, window: nil),
      input: input, segmenter: segmenter)
  }
}

import Foundation
import SpeechCore
import SpeechGrammar

extension RecogniserEntry {
  /// Whisper: free speech in many languages, and grammars, offline. Its variants are the names of
  /// models.
  public static let whisper = RecogniserEntry(
    "whisper", of: WhisperDecoder.self, displayName: "Whisper", features: [.grammar],
    dictationErrors: 0.09,
    remedy:
      "`speechkit engines add whisper whisper:tiny.en` installs its library and a model; or set "
      + "SPEECHKIT_WHISPER to the folder of both.",
    access: { settings, locale in
      _ = try WhisperLibrary.load()
      _ = try WhisperModelName(settings.variant).find(for: locale.language.languageCode?.identifier)
    }
  ) { settings in
    var configuration = WhisperConfiguration(model: settings.variant)
    configuration.reportsPartials = settings.reportsPartials
    configuration.threads = settings.threads
    configuration.grammar = try JSGFGrammar(settings.search)
    configuration.minimumConfidence = settings.minimumConfidence ?? 0
    return configuration
  }
}

extension JSGFGrammar {
  /// The grammar of that setting; `nil` if it has none.
  fileprivate init?(_ search: RecogniserSettings.Search) throws(SpeechRecognitionError) {
    do {
      switch search {
      case .grammar(let text): self = try JSGFGrammar(text)
      case .grammarFile(let file): self = try JSGFGrammar(contentsOf: file)
      case .dictation, .keyPhrases: return nil
      }
    } catch {
      throw .recognitionFailed(error.localizedDescription)
    }
  }
}

import SpeechCommand
import SpeechLanguageModels
import SpeechTesting

extension JSGFError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus { .badData }
}

extension CommandGrammarError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus { .badData }
}

extension GrammarFileError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus { .badData }
}

extension LanguageModelError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    switch kind {
    case .content: .badData
    case .unreadable: .noInput
    case .unwritable: .cannotCreate
    }
  }
}

extension ConversationBundleError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    switch self {
    case .missing: .noInput
    case .malformed, .mixed: .badData
    case .folderInUse: .cannotCreate
    }
  }
}

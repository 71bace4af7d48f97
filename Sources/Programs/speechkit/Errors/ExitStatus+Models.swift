import SpeechCommand
import SpeechKit

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
    case .malformed: .badData
    }
  }
}

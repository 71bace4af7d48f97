import SpeechAudio
import SpeechCore
import SpeechFiles

extension AudioError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    switch self {
    case .noDevice, .deviceNotFound, .deviceUnavailable, .deviceLost: .unavailable
    case .fileNotFound, .unreadableFile: .noInput
    case .damagedFile, .unsupportedFormat, .conversionFailed: .badData
    case .writeFailed: .cannotCreate
    case .processingFailed: .software
    }
  }
}

extension TemporaryFileError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus { .cannotCreate }
}

extension SpeechCatalogError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    if case .unknownVoice = self { .unavailable } else { .usage }
  }
}

extension PronunciationFileError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    switch kind {
    case .content: .badData
    case .unreadable: .noInput
    case .unwritable: .cannotCreate
    }
  }
}

extension SpeechRecognitionError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    switch self {
    case .notAvailable, .notAuthorized, .audioEngineError: .unavailable
    // A recogniser that is available fails because of its input: a grammar, a phrase, a model.
    case .recognitionFailed: .badData
    case .outOfMemory: .systemError
    case .cancelled: .interrupted
    }
  }
}

extension SpeechSynthesisProviderError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    switch self {
    case .invalidText, .unknown: .badData
    case .cancelled: .interrupted
    case .providerNotAvailable, .initializationFailed, .voiceNotAvailable, .networkUnavailable,
      .authenticationFailed, .rateLimitExceeded, .playbackFailed:
      .unavailable
    }
  }
}

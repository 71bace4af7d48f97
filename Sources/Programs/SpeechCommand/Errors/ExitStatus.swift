#if Cloud
import AIServices
import SpeechActions
import SpeechDesktop
#endif

import Foundation
import SpeechKit

/// The exit status of the program, for scripts.
///
/// The numbers are those of `sysexits.h`, 1 as `diff` and `grep` use it, and 128 plus the number of
/// a signal.
enum ExitStatus: Int32, Sendable, CaseIterable {
  case success = 0
  case different = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case software = 70
  case cannotCreate = 73
  case ioError = 74
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  /// The meaning, for the help.
  var meaning: String {
    switch self {
    case .success: "The work was done."
    case .different: "The work was done, and the result is not what was expected."
    case .usage: "The command line has a mistake."
    case .badData: "The input cannot be used."
    case .noInput: "An input file is missing or cannot be read."
    case .unavailable: "Something is missing: a device, a model, a voice, a service."
    case .software: "An error in speechkit itself."
    case .cannotCreate: "An output file cannot be written."
    case .ioError: "Standard input or output failed, for example on a full disk."
    case .hungUp: "The terminal was closed."
    case .interrupted: "Interrupted with Ctrl-C; the results so far are kept."
    case .terminated: "Ended by SIGTERM; the results so far are kept."
    }
  }

  /// The status for a signal.
  init(signal: Int32) {
    self = ExitStatus(rawValue: 128 + signal) ?? .terminated
  }

  /// The status for an error.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure.status
    case is UsageError: self = .usage
    case is OutputError: self = .ioError
    case let error as AudioError: self = ExitStatus(error)
    case SpeechCatalogError.unknownVoice: self = .unavailable
    case is SpeechCatalogError: self = .usage
    case let error as SpeechRecognitionError: self = ExitStatus(error)
    case let error as SpeechSynthesisProviderError: self = ExitStatus(error)
    case let error as PronunciationFileError: self = ExitStatus(error)
    case let error as LanguageModelError: self = ExitStatus(error)
    case let error as ConversationBundleError: self = ExitStatus(error)
    #if Cloud
    case let error as AICredentialError: self = ExitStatus(error)
    case let error as AIServiceError: self = ExitStatus(error)
    case let error as ActionError: self = ExitStatus(error)
    case is DesktopError: self = .unavailable
    #endif
    default: self = .software
    }
  }

  private init(_ error: AudioError) {
    switch error {
    case .noDevice, .deviceNotFound, .deviceUnavailable, .deviceLost: self = .unavailable
    case .fileNotFound, .unreadableFile: self = .noInput
    case .unsupportedFormat, .conversionFailed: self = .badData
    case .writeFailed: self = .cannotCreate
    case .processingFailed: self = .software
    }
  }

  private init(_ error: PronunciationFileError) {
    switch error.kind {
    case .content: self = .badData
    case .unreadable: self = .noInput
    case .unwritable: self = .cannotCreate
    }
  }

  private init(_ error: LanguageModelError) {
    switch error.kind {
    case .content: self = .badData
    case .unreadable: self = .noInput
    case .unwritable: self = .cannotCreate
    }
  }

  private init(_ error: ConversationBundleError) {
    switch error {
    case .missing: self = .noInput
    case .malformed: self = .badData
    }
  }

  private init(_ error: SpeechRecognitionError) {
    switch error {
    case .notAvailable, .notAuthorized, .audioEngineError: self = .unavailable
    // A recogniser that is available fails because of its input: a grammar, a phrase, a model.
    case .recognitionFailed: self = .badData
    case .cancelled: self = .interrupted
    }
  }

  private init(_ error: SpeechSynthesisProviderError) {
    switch error {
    case .invalidText, .unknown: self = .badData
    case .cancelled: self = .interrupted
    case .providerNotAvailable, .initializationFailed, .voiceNotAvailable, .networkUnavailable,
      .authenticationFailed, .rateLimitExceeded, .playbackFailed:
      self = .unavailable
    }
  }
}

#if Cloud
extension ExitStatus {
  fileprivate init(_ error: AICredentialError) {
    switch error {
    case .invalidFormat, .corruptFile: self = .badData
    case .notFound, .expired, .readOnly, .storeUnavailable, .storeLocked: self = .unavailable
    case .insecureFile: self = .noInput
    case .storageFailed: self = .cannotCreate
    }
  }

  fileprivate init(_ error: AIServiceError) {
    switch error {
    case .invalidAPIKey, .invalidRequest, .unexpectedResponseFormat, .dataConversionError:
      self = .badData
    case .missingCredentials, .authenticationFailed, .rateLimitExceeded, .timeout,
      .connectionFailed, .networkError, .providerError, .configurationError:
      self = .unavailable
    }
  }
}

extension ExitStatus {
  fileprivate init(_ error: ActionError) {
    switch error {
    case .invalidName, .template, .configuration, .unexpectedAnswer: self = .badData
    case .conflict, .storage: self = .cannotCreate
    case .notFound, .noConnector, .notPrivate, .spendingCapReached, .deadlinePassed:
      self = .unavailable
    case .cancelled: self = .interrupted
    case .service(let error): self = ExitStatus(error)
    }
  }
}
#endif

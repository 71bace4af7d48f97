#if Cloud
import AIServices
import SpeechActions
import SpeechCommand

extension AICredentialError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    switch self {
    case .invalidFormat, .corruptFile: .badData
    case .notFound, .expired, .readOnly, .storeUnavailable, .storeLocked: .unavailable
    case .insecureFile: .noInput
    case .storageFailed: .cannotCreate
    }
  }
}

extension AIServiceError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    switch self {
    case .invalidAPIKey, .invalidRequest, .unexpectedResponseFormat, .dataConversionError:
      .badData
    case .missingCredentials, .authenticationFailed, .rateLimitExceeded, .timeout,
      .connectionFailed, .networkError, .providerError, .configurationError:
      .unavailable
    }
  }
}

extension ActionError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus {
    switch self {
    case .invalidName, .template, .configuration, .unexpectedAnswer: .badData
    case .conflict, .storage: .cannotCreate
    case .notFound, .noConnector, .notPrivate, .spendingCapReached, .deadlinePassed:
      .unavailable
    case .cancelled: .interrupted
    case .service(let error): error.exitStatus
    }
  }
}
#endif

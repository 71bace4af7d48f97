import Foundation

/// What can go wrong while listening.
public enum SpeechRecognitionError: Error, Equatable, Sendable {
  /// This recogniser cannot run here.
  case notAvailable
  /// No capture device may be opened.
  case notAuthorized
  /// The sound did not come; the text says why and what to do.
  case audioEngineError(String)
  /// The recogniser failed; the text says why and what to do.
  case recognitionFailed(String)
  /// Somebody ended it.
  case cancelled
}

extension SpeechRecognitionError: LocalizedError {
  /// What happened, and what to do about it.
  public var errorDescription: String? {
    switch self {
    case .notAvailable:
      "This recogniser is not available. Choose another provider, or run `speechkit doctor` to see "
        + "what is missing."
    case .notAuthorized:
      "No microphone can be opened. Connect one or start the sound server, and see "
        + "`speechkit devices`."
    case .audioEngineError(let message), .recognitionFailed(let message):
      message
    case .cancelled:
      "Listening was cancelled."
    }
  }
}

import Foundation
import SpeechAudio

/// An error of listening or recognition.
public enum SpeechRecognitionError: Error, Equatable, Sendable {
  /// This recogniser cannot run on this machine.
  case notAvailable
  /// No capture device may be opened.
  case notAuthorized
  /// No audio arrives; the text contains the reason and the remedy.
  case audioEngineError(String)
  /// The recogniser failed; the text contains the reason and the remedy.
  case recognitionFailed(String)
  /// There is not enough memory for the recogniser, which has to be created again.
  case outOfMemory
  /// Listening was stopped or cancelled.
  case cancelled
}

extension SpeechRecognitionError: LocalizedError {
  /// The description of the error and its remedy.
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
    case .outOfMemory:
      "There is not enough memory for this recogniser. End other programs, raise the limit of this "
        + "one (`ulimit -v`), or choose a smaller model."
    case .cancelled:
      "Listening was cancelled."
    }
  }
}

extension SpeechRecognitionError {
  /// Converts any error to this domain.
  package init(_ error: any Error) {
    switch error {
    case let known as SpeechRecognitionError: self = known
    case is CancellationError: self = .cancelled
    case let audio as AudioError: self = .audioEngineError(audio.localizedDescription)
    default: self = .recognitionFailed(error.localizedDescription)
    }
  }
}

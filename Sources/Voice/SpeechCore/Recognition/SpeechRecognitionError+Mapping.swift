import Foundation
import SpeechAudio

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

import Foundation
import SpeechAudio

extension SpeechRecognitionError {
  /// The error in the words of this domain, whatever room it came from.
  package init(_ error: any Error) {
    switch error {
    case let known as SpeechRecognitionError: self = known
    case is CancellationError: self = .cancelled
    case let audio as AudioError: self = .audioEngineError(audio.localizedDescription)
    default: self = .recognitionFailed(error.localizedDescription)
    }
  }
}

import Foundation
import SpeechAudio

extension SpeechSynthesisProviderError {
  /// Converts any error to this domain.
  package init(_ error: any Error) {
    switch error {
    case let known as SpeechSynthesisProviderError: self = known
    case is CancellationError: self = .cancelled
    case let audio as AudioError: self = .playbackFailed(audio.localizedDescription)
    default: self = .unknown(error.localizedDescription)
    }
  }
}

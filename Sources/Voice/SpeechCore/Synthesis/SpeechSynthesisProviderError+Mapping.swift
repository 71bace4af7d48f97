import Foundation
import SpeechAudio

extension SpeechSynthesisProviderError {
  /// The error in the words of this domain, whatever room it came from.
  package init(_ error: any Error) {
    switch error {
    case let known as SpeechSynthesisProviderError: self = known
    case is CancellationError: self = .cancelled
    case let audio as AudioError: self = .playbackFailed(audio.localizedDescription)
    default: self = .unknown(error.localizedDescription)
    }
  }
}

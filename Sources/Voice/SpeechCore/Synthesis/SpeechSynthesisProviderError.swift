import Foundation
import SpeechAudio

/// An error of speech synthesis or playback.
public enum SpeechSynthesisProviderError: Error, Equatable, Sendable {
  /// The provider of that name cannot run on this machine.
  case providerNotAvailable(String)
  /// The voice could not be set up, or its service fails; the text contains the reason and the
  /// remedy.
  case initializationFailed(String)
  /// There is nothing to speak, or the text cannot be spoken.
  case invalidText
  /// There is no voice of that name.
  case voiceNotAvailable(String)
  /// The service cannot be reached.
  case networkUnavailable
  /// There is no key for the service, or the service refused it.
  case authenticationFailed
  /// The service requires fewer requests.
  case rateLimitExceeded
  /// The audio could not be played; the text contains the reason and the remedy.
  case playbackFailed(String)
  /// Speech was stopped or cancelled.
  case cancelled
  /// Another error, described by the text.
  case unknown(String)
}

extension SpeechSynthesisProviderError: LocalizedError {
  /// The description of the error and its remedy.
  public var errorDescription: String? {
    switch self {
    case .providerNotAvailable(let name):
      "The voice “\(name)” is not available here. Choose `.auto`, or run "
        + "`speechkit doctor` to see what is missing."
    case .initializationFailed(let message), .playbackFailed(let message), .unknown(let message):
      message
    case .invalidText:
      "There is nothing to speak. Pass text with at least one letter or digit."
    case .voiceNotAvailable(let voice):
      "There is no voice “\(voice)”. `speechkit voices` lists those that are installed."
    case .networkUnavailable:
      "The service cannot be reached. Check the network connection, or use a local voice."
    case .authenticationFailed:
      "There is no key for the service, or it refused the key. Run `speechkit credentials test` to "
        + "find out which."
    case .rateLimitExceeded:
      "The service received too many requests. Wait a moment, or use a local voice."
    case .cancelled:
      "Speaking was cancelled."
    }
  }
}

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

import Foundation

/// Stands in for a voice that this version of the toolkit does not have: every text fails with
/// `providerNotAvailable`.
@MainActor
final class UnavailableSpeechSynthesisProvider: SpeechSynthesisProvider {
  static let identifier = "com.speechkit.unavailable"
  static let isAvailable = false

  let type: SpeechSynthesisProviderType
  let isPlaying = false
  let isPaused = false
  let capabilities: Set<SpeechSynthesisCapability> = []

  init(_ type: SpeechSynthesisProviderType) {
    self.type = type
  }

  var events: AsyncStream<SpeechSynthesisEvent> { AsyncStream { $0.finish() } }

  func speak(text: String, voice: String?) async throws {
    throw SpeechSynthesisProviderError.providerNotAvailable(type)
  }

  func stop() {}
  func pause() {}
  func resume() {}
}

import Foundation
import SpeechAudio
import SpeechCore
import SpeechFlite
import TestSupport

@testable import SpeechWhisper

/// The real library and a real model, which `Scripts/install-peers` installs.
enum WhisperFixture {
  static var configuration: WhisperConfiguration {
    get throws {
      var configuration = WhisperConfiguration(model: try Peers.whisperModel.path)
      configuration.library = try Peers.whisperLibrary
      return configuration
    }
  }

  static let english = Locale(identifier: "en-US")

  /// A sentence, spoken by a voice that recognisers understand.
  static func spoken(_ text: String) async throws -> PCMBuffer {
    try await VoiceEntry.flite.voice().render(text).resampled(to: .recognition)
  }

  static func session(
    _ configuration: WhisperConfiguration? = nil
  ) throws -> RecognitionSession<WhisperDecoder> {
    RecognitionSession(configuration: try configuration ?? self.configuration, locale: english)
  }
}

/// The words of a text without case and signs.
func plainWords(_ text: String?) -> [String] {
  (text ?? "").split(separator: " ").map { WhisperReading.plain(String($0)) }
}

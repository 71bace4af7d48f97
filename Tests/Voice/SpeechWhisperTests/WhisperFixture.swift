import Foundation
import SpeechAudio
import SpeechCore
import SpeechFlite
import TestSupport

@testable import SpeechWhisper

/// The real library and a real model, which `Scripts/install-peers` installs.
enum WhisperFixture {
  private static let room = Peers.python.map {
    URL(filePath: $0).deletingLastPathComponent().deletingLastPathComponent()
  }

  /// The folder that holds the library.
  static var library: URL {
    get throws {
      let lib = try required(room).appending(path: "lib")
      let names = try FileManager.default.contentsOfDirectory(atPath: lib.path)
      return lib.appending(path: "\(try required(names.first))/site-packages")
    }
  }

  /// Whisper's smallest English model.
  static var model: URL {
    get throws { try required(room).appending(path: "whisper/ggml-tiny.en-q8_0.bin") }
  }

  static var configuration: WhisperConfiguration {
    get throws {
      var configuration = WhisperConfiguration(model: try model.path)
      configuration.library = try library
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

  private static func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw CocoaError(.fileNoSuchFile) }
    return value
  }
}

/// Hears words without their case and signs.
func plainWords(_ text: String?) -> [String] {
  (text ?? "").split(separator: " ").map { WhisperReading.plain(String($0)) }
}

import Foundation
import SpeechKit

/// Where sound goes that is not played.
enum OutputPlace: Sendable {
  case file(URL)
  case standardOutput

  /// A path, or `-` for standard output.
  init(_ path: String) {
    self = path == "-" ? .standardOutput : .file(URL(filePath: path))
  }

  func take<Engine: VoiceEngine>(
    _ text: String, _ voice: String, from engine: Engine, _ configuration: Engine.Configuration
  ) async throws {
    let request = engine.makeRequest(text: text, voiceId: voice)
    switch self {
    case .file(let url):
      try await engine.write(request, configuration: configuration, to: url)
    case .standardOutput:
      do {
        try await engine.write(
          request, configuration: configuration, toDescriptor: STDOUT_FILENO)
      } catch AudioError.writeFailed(_, let reason) {
        throw reason == String(cString: strerror(EPIPE)) ? OutputError.closed : .failed(reason)
      }
    }
  }
}

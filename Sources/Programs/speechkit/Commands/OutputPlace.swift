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

  /// Has that text spoken there. A file keeps what was spoken until the task is cancelled, and the person
  /// is told.
  func take<Engine: VoiceEngine>(
    _ text: String, _ voice: String, from engine: Engine, _ configuration: Engine.Configuration,
    on terminal: Terminal
  ) async throws {
    let request = engine.makeRequest(text: text, voiceId: voice)
    switch self {
    case .file(let url):
      let file = try await engine.writeUntilCancelled(
        request, configuration: configuration, to: url)
      guard file.isWhole else {
        await terminal.noteInterruption(of: url, after: file.duration)
        throw CancellationError()
      }
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

extension Terminal {
  /// Says what became of a sound file when the work was broken off.
  func noteInterruption(of file: URL, after duration: Duration) {
    let name = file.relativePath
    note(
      duration > .zero
        ? "speechkit: Interrupted: “\(name)” has the first \(duration.brief), the rest is missing."
        : "speechkit: Interrupted before anything was spoken: “\(name)” is not written.")
  }
}

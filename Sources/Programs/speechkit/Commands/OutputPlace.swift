import Foundation
import SpeechKit

/// The destination of audio that is not played.
enum OutputPlace: Sendable {
  case file(URL)
  case standardOutput

  /// A path, or `-` for standard output.
  init(_ path: String) {
    self = path == "-" ? .standardOutput : .file(URL(filePath: path))
  }
}

extension Terminal {
  /// Notes how much of an audio file was written before an interruption.
  func noteInterruption(of file: URL, after duration: Duration) {
    let name = file.relativePath
    note(
      duration > .zero
        ? "speechkit: Interrupted: “\(name)” has the first \(duration.brief), the rest is missing."
        : "speechkit: Interrupted before anything was spoken: “\(name)” is not written.")
  }
}

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

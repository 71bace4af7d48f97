import SpeechFiles
import SpeechWhisper

extension PublishedFileSet {
  /// The engines whose files can be installed, a line each.
  package static let standard: [PublishedFileSet] = [
    .whisper
  ]
}

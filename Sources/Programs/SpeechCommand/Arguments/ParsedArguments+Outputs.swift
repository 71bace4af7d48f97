import Foundation
import SpeechAudio

/// The kind of output that is written to a path.
package enum OutputKind: Sendable, Equatable {
  /// Audio in the format of the extension; “-” may be standard output.
  case sound(orStandardOutput: Bool = false)
  case text
  case folder
}

extension ParsedArguments {
  /// Checks that the path is a name for what is written, and not that of what is read, before any
  /// work begins. Places that options name are checked when a command gets its arguments; commands
  /// check those that they derive themselves.
  package func checkOutput(_ path: String, _ kind: OutputKind) throws(UsageError) {
    let place = FileIdentity(path: path)
    let isFolder = place?.isFolder == true || path.hasSuffix("/")
    if !path.hasPrefix("/dev/") {
      let name = URL(filePath: path).lastPathComponent
      let container = AudioContainer(pathExtension: URL(filePath: path).pathExtension)
      switch kind {
      case .sound(orStandardOutput: true) where path == "-": return
      case .sound where container == nil:
        throw UsageError("The extension of “\(name)” has to be wav, flac, ogg, opus or mp3.")
      case .text where container != nil && !isFolder:
        throw UsageError(
          "“\(name)” is a name for audio, but text is written. Choose another extension.")
      case .sound, .text, .folder: break
      }
    }
    guard let place, place.isFolder == (kind == .folder) else { return }
    if let input = inputs.first(where: { FileIdentity(path: $0) == place }) {
      throw UsageError(
        input == path
          ? "“\(path)” is read and would be overwritten. Choose another file."
          : "“\(path)” is the same as “\(input)”, which is read. Choose another file.")
    }
    if FileIdentity(descriptor: STDIN_FILENO) == place {
      throw UsageError(
        "“\(path)” is read as standard input and would be overwritten. Choose another file.")
    }
  }
}

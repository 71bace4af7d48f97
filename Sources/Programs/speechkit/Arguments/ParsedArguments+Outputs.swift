import Foundation
import SpeechKit

/// What is written at a place that an argument names.
enum OutputKind: Sendable, Equatable {
  /// Sound in the format of the extension; the place “-” may be standard output.
  case sound(orStandardOutput: Bool = false)
  case text
  /// Files in a folder.
  case folder
}

extension ParsedArguments {
  /// Looks whether that may be written there, before any work begins.
  ///
  /// Every place that an option names has been looked at when a command gets its arguments; commands look
  /// at places that they derive themselves.
  ///
  /// - Throws: `UsageError` when the name is not one for what is written, or the place is what is read.
  func checkOutput(_ path: String, _ kind: OutputKind) throws(UsageError) {
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
          "“\(name)” is a name for sound, and what is written is text. Choose another extension.")
      case .sound, .text, .folder: break
      }
    }
    guard let place, place.isFolder == (kind == .folder) else { return }
    if let input = inputs.first(where: { FileIdentity(path: $0) == place }) {
      throw UsageError(
        input == path
          ? "“\(path)” is read, and would be written over. Choose another place."
          : "“\(path)” is the same as “\(input)”, which is read. Choose another place.")
    }
    if FileIdentity(descriptor: STDIN_FILENO) == place {
      throw UsageError(
        "“\(path)” is what standard input comes from, and would be written over. Choose another place."
      )
    }
  }
}

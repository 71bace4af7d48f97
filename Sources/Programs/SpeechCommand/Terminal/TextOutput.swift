import Foundation
import SpeechAudio
import SpeechConcurrency

/// Writes text files atomically, on a queue of its own.
package actor TextOutput {
  private let executor = SerialQueueExecutor(label: "speechkit.files")

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package init() {}

  /// - Parameter isDurable: waits until the text is on the disk.
  package func write(
    _ text: String, to url: URL, in folder: URL? = nil, isDurable: Bool = true
  ) throws {
    if let folder {
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      } catch {
        throw AudioError.writeFailed(path: folder.path, reason: error.localizedDescription)
      }
    }
    try WholeFile.write(Data(text.utf8), to: url, isDurable: isDurable)
  }
}

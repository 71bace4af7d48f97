import Foundation

/// Reading and writing whole sound files.
public enum AudioFile {
  /// Reads all of a sound file that is in memory.
  ///
  /// - Throws: `AudioError.unsupportedFormat` when it is not sound that can be read.
  public static func read(_ data: Data, name: String = "audio data") throws -> PCMBuffer {
    throw AudioError.unsupportedFormat(source: name, reason: "not read yet")
  }
}

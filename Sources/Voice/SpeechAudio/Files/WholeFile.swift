import Foundation

/// Writes files that are whole or not there.
package enum WholeFile {
  /// Writes the bytes to a file, which takes its name when all of them are stored; until then an older
  /// one stays as it is.
  ///
  /// - Throws: `AudioError.writeFailed`.
  package static func write(_ data: Data, to url: URL) throws(AudioError) {
    let file = try OutputFile(url)
    let sink = ByteSink(file)
    _ = data.withUnsafeBytes(sink.write)
    guard sink.failure == 0 else {
      throw .writeFailed(path: file.path, reason: systemMessage(sink.failure))
    }
    try file.commit()
  }
}

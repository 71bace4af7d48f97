import Foundation

/// Writes files atomically.
package enum WholeFile {
  /// Writes the bytes to a file, which gets its name when all of them are stored; an older one is
  /// unchanged until then.
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

import Foundation

/// Writes files that are whole or not there.
package enum WholeFile {
  /// Writes the bytes to a file, which takes its name when all of them are stored; until then an older
  /// one stays as it is.
  ///
  /// - Throws: `AudioError.writeFailed`.
  package static func write(_ data: Data, to url: URL) throws(AudioError) {
    let file = try OutputFile(url)
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.write(file.descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw .writeFailed(path: file.path, reason: systemMessage(count < 0 ? errno : EIO))
      }
      rest = rest.dropFirst(count)
    }
    try file.commit()
  }
}

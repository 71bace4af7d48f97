import Foundation

/// A file for this user alone in the folder for temporary files, which is removed with the value.
package struct TemporaryFile: ~Copyable {
  package let path: String

  /// Creates an empty file.
  ///
  /// - Parameter suffix: the end of its name.
  package init(_ suffix: String) throws(TemporaryFileError) {
    path =
      FileManager.default.temporaryDirectory.appending(
        path: "speechkit-\(UUID().uuidString).\(suffix)"
      ).path(percentEncoded: false)
    try write(Data(), O_EXCL)
  }

  deinit { unlink(path) }

  /// Replaces the content of the file.
  package func write(_ data: Data) throws(TemporaryFileError) { try write(data, O_TRUNC) }

  private func write(_ data: Data, _ flag: Int32) throws(TemporaryFileError) {
    let number = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flag, 0o600)
    guard number >= 0 else { throw TemporaryFileError(path: path, code: errno) }
    let file = OwnedDescriptor(number)
    let code = data.withUnsafeBytes { file.write($0) }
    guard code == 0 else { throw TemporaryFileError(path: path, code: code) }
  }
}

/// A failure to write a temporary file.
package struct TemporaryFileError: LocalizedError, Sendable {
  /// The folder for temporary files.
  package let folder: String
  package let reason: String

  /// Creates an error of a file, with the value of `errno`.
  package init(path: String, code: Int32) {
    folder = (path as NSString).deletingLastPathComponent
    reason = SystemFailure(code: code).description
  }

  package var errorDescription: String? {
    "No temporary file can be written to “\(folder)”: \(reason). Make the folder writable, free "
      + "some space, or set TMPDIR to another folder."
  }
}

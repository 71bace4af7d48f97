import Foundation

/// A file for this user alone in the folder for temporary files, which is removed with the value.
///
/// The file of a killed program is removed when the next one with the same suffix is created.
package struct TemporaryFile: ~Copyable {
  package let path: String
  /// The open file, whose lock shows other programs that it is in use.
  private let file: OwnedDescriptor

  /// Creates an empty file.
  ///
  /// - Parameter suffix: the end of its name.
  package init(_ suffix: String) throws(TemporaryFileError) {
    let place = FileManager.default.temporaryDirectory.appending(path: "speechkit.\(suffix)")
      .path(percentEncoded: false)
    do throws(SystemFailure) {
      let made = try ReplacementFile.create(for: place, in: AT_FDCWD, mode: 0o600)
      path = made.path
      file = OwnedDescriptor(made.number)
    } catch {
      throw TemporaryFileError(path: place, code: error.code)
    }
  }

  deinit { unlink(path) }

  /// Replaces the content of the file.
  package func write(_ data: Data) throws(TemporaryFileError) {
    try Self.write(data, to: path)
  }

  /// Replaces the content of a file that another process has created.
  ///
  /// The file is not replaced by a new one, which would not have its lock.
  package static func write(_ data: Data, to path: String) throws(TemporaryFileError) {
    let number = open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)
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

import Foundation

/// A file that is written under a temporary name beside its place, and takes its name when it is
/// whole.
///
/// Another program sees the old file or the new one, never a part of it. Without `commit()` the
/// temporary file is removed and the old one stays. The temporary file of a killed program is
/// removed by the next replacement of the same file.
package struct FileReplacement: ~Copyable {
  /// The open file, for reading and writing.
  package let file: OwnedDescriptor
  private let folder: Int32
  private let temporary: String
  private let name: String
  private var isCommitted = false

  /// Creates the temporary file.
  ///
  /// - Parameters:
  ///   - path: the file's place, relative to the folder unless it is absolute.
  ///   - folder: an open folder, which has to stay open for as long as the replacement exists.
  ///   - mode: the permissions of the new file.
  ///   - isExact: sets the permissions whatever the process's umask is.
  package init(
    _ path: String, in folder: Int32 = AT_FDCWD, mode: mode_t, isExact: Bool = true
  ) throws(SystemFailure) {
    let (number, temporary) = try ReplacementFile.create(for: path, in: folder, mode: mode)
    if isExact, fchmod(number, mode) != 0 {
      let code = errno
      close(number)
      unlinkat(folder, temporary, 0)
      throw SystemFailure(code: code)
    }
    file = OwnedDescriptor(number)
    self.folder = folder
    self.temporary = temporary
    name = path
  }

  deinit {
    if !isCommitted { unlinkat(folder, temporary, 0) }
  }

  /// Writes bytes after those before.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    let code = file.write(bytes)
    guard code == 0 else { throw SystemFailure(code: code) }
  }

  /// Writes data after that before.
  package func write(_ data: Data) throws(SystemFailure) {
    let code = data.withUnsafeBytes { file.write($0) }
    guard code == 0 else { throw SystemFailure(code: code) }
  }

  /// Puts the new file in the place of the old one.
  ///
  /// - Parameter isDurable: waits until the bytes are on the disk, so that the file is whole even
  ///   after a power failure.
  package mutating func commit(isDurable: Bool = true) throws(SystemFailure) {
    guard !isDurable || fsync(file.number) == 0, renameat(folder, temporary, folder, name) == 0
    else { throw SystemFailure(code: errno) }
    isCommitted = true
  }

  /// True for the name of a temporary file for a file of that name, or of any if none is given.
  package static func isTemporary(_ name: String, for original: String? = nil) -> Bool {
    ReplacementFile.isTemporary(name, for: original)
  }
}

extension Data {
  /// Replaces a file by one with these bytes, in one step that either happens or not.
  ///
  /// - Parameters:
  ///   - mode: the permissions of the new file; `nil` keeps those of the old one, or leaves them to
  ///     the process's umask.
  ///   - isDurable: waits until the bytes are on the disk.
  /// - Throws: `SystemFailure`; the file is unchanged then.
  package func replace(
    _ path: String, mode: mode_t? = nil, isDurable: Bool = true
  ) throws(SystemFailure) {
    var status = stat()
    let mode = mode ?? (stat(path, &status) == 0 ? status.st_mode & 0o777 : nil)
    var replacement = try FileReplacement(path, mode: mode ?? 0o666, isExact: mode != nil)
    try replacement.write(self)
    try replacement.commit(isDurable: isDurable)
  }
}

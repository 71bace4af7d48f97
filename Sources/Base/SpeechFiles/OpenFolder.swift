import Foundation

/// A folder that is held open, so that another program cannot exchange it in the meantime.
package struct OpenFolder: ~Copyable {
  package let descriptor: OwnedDescriptor
  package let path: String

  package init(descriptor: consuming OwnedDescriptor, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Replaces a file by one with these bytes, in one step that either happens or not.
  ///
  /// - Parameter mode: the permissions of the new file.
  /// - Throws: `SystemFailure`; the file is unchanged then.
  package func replace(
    _ name: String, with bytes: UnsafeRawBufferPointer, mode: mode_t
  ) throws(SystemFailure) {
    var replacement = try FileReplacement(name, in: descriptor.number, mode: mode)
    try replacement.write(bytes)
    try replacement.commit()
    // The new file is visible now. Not every file system can guarantee that its name reaches the
    // disk as well, and a caller could do nothing about a failure.
    fsync(descriptor.number)
  }

  /// Removes temporary files that killed programs left. The caller must hold the file's lock.
  package func sweep(_ name: String) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return }
    for left in names where FileReplacement.isTemporary(left, for: name) {
      unlinkat(descriptor.number, left, 0)
    }
  }

  /// Runs the body while holding the lock of that name.
  ///
  /// - Returns: `nil`, without running the body, if another program holds the lock.
  /// - Throws: `SystemFailure`; errors of the body.
  package func withLock<Result>(_ name: String, _ body: () throws -> Result) throws -> Result? {
    guard let lock = try FileLock.ifFree(name, in: descriptor.number) else { return nil }
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }
}

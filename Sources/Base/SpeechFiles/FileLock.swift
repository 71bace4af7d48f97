import Foundation

/// A lock that programs share through a file (`flock`). The system releases it when the process
/// ends.
package struct FileLock: ~Copyable {
  private let file: OwnedDescriptor

  private init(_ file: consuming OwnedDescriptor) {
    self.file = file
  }

  deinit {
    // Closing would not release it while a child process has the descriptor as well.
    flock(file.number, LOCK_UN)
  }

  /// Waits for the lock, as long as another program holds it.
  ///
  /// - Parameters:
  ///   - path: the lock file, which is created if necessary, relative to the folder unless it is
  ///     absolute.
  ///   - folder: an open folder.
  package static func waiting(
    for path: String, in folder: Int32 = AT_FDCWD
  ) throws(SystemFailure) -> FileLock {
    let file = try open(path, in: folder)
    while flock(file.number, LOCK_EX) != 0 {
      guard errno == EINTR else { throw SystemFailure(code: errno) }
    }
    return FileLock(file)
  }

  /// Takes the lock if it is free.
  ///
  /// - Returns: `nil` if another program holds it.
  package static func ifFree(
    _ path: String, in folder: Int32 = AT_FDCWD
  ) throws(SystemFailure) -> FileLock? {
    let file = try open(path, in: folder)
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      guard errno == EINTR else { throw SystemFailure(code: errno) }
    }
    return FileLock(file)
  }

  private static func open(
    _ path: String, in folder: Int32
  ) throws(SystemFailure) -> OwnedDescriptor {
    let number = openat(folder, path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SystemFailure(code: errno) }
    return OwnedDescriptor(number)
  }
}

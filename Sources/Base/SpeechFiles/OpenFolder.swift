import Foundation

/// A folder that is held open, so that it cannot be exchanged under our hands, with the two things that
/// files need which several programs change: replacing one in one step, and a lock.
package struct OpenFolder: ~Copyable {
  package let descriptor: OwnedDescriptor
  package let path: String

  package init(descriptor: consuming OwnedDescriptor, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Puts a file with those bytes in the place of the present one, in one step that either happens or not.
  ///
  /// - Parameter mode: who may do what with the new file.
  /// - Throws: `SystemFailure`; the file is as it was then.
  package func replace(
    _ name: String, with bytes: UnsafeRawBufferPointer, mode: mode_t
  ) throws(SystemFailure) {
    let temporary = Self.temporaryName(for: name)
    let number = openat(
      descriptor.number, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard number >= 0 else { throw SystemFailure(code: errno) }
    let file = OwnedDescriptor(number)
    var code: Int32 = 0
    // A strange umask takes from the owner, too.
    if fchmod(number, mode) != 0 { code = errno }
    if code == 0 { code = file.write(bytes) }
    if code == 0, fsync(number) != 0 { code = errno }
    if code == 0, renameat(descriptor.number, temporary, descriptor.number, name) != 0 {
      code = errno
    }
    guard code == 0 else {
      unlinkat(descriptor.number, temporary, 0)
      throw SystemFailure(code: code)
    }
    // Now the new file is there for everybody. That its name reaches the disk as well cannot be made sure of
    // on every file system; a failure here changes nothing that a caller could do.
    fsync(descriptor.number)
  }

  /// Removes what writers left who were killed. Only for the one who has the lock.
  package func sweep(_ name: String) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return }
    for left in names
    where left.hasPrefix(Self.temporaryPrefix(for: name)) && left.hasSuffix(Self.suffix) {
      unlinkat(descriptor.number, left, 0)
    }
  }

  /// Runs the body with the lock of that name, which the system gives back if the process ends; `nil`, and
  /// nothing has run, when somebody else has it.
  ///
  /// - Throws: `SystemFailure`; what the body throws.
  package func withLock<Result>(_ name: String, _ body: () throws -> Result) throws -> Result? {
    let number = openat(
      descriptor.number, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SystemFailure(code: errno) }
    let file = OwnedDescriptor(number)
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      guard errno == EINTR else { throw SystemFailure(code: errno) }
    }
    defer { flock(file.number, LOCK_UN) }
    return try body()
  }

  private static let suffix = ".part"

  private static func temporaryPrefix(for name: String) -> String { ".\(name)." }

  private static func temporaryName(for name: String) -> String {
    temporaryPrefix(for: name) + String(UInt64.random(in: 0 ... .max), radix: 36) + suffix
  }
}

/// What the system says no with.
package struct SystemFailure: Error, CustomStringConvertible {
  /// Its number.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// Its words.
  package var description: String { String(cString: strerror(code)) }
}

/// A descriptor of a file or folder that is closed at the end.
package struct OwnedDescriptor: ~Copyable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Writes all of the bytes.
  ///
  /// - Returns: 0, or the number of the error.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(
        number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}

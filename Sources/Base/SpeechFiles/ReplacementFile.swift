import Foundation

/// The temporary files of replacements, which are locked for as long as their program uses them.
///
/// The files for a name have numbers, and the next program that replaces it takes the place of
/// those whose program was killed. Killed programs thus never leave more files than had been
/// written at the same time.
enum ReplacementFile {
  private static let suffix = ".part"
  /// The number of replacements of one file at the same time. Further ones have random names.
  private static let most = 64

  /// Creates an empty file for that path, in the same folder, and locks it.
  static func create(
    for path: String, in folder: Int32, mode: mode_t
  ) throws(SystemFailure) -> (number: Int32, path: String) {
    for mark in 1...most {
      let place = self.path(for: path, mark: String(mark))
      if let number = try claim(place, in: folder, mode: mode) { return (number, place) }
    }
    let place = self.path(for: path, mark: String(UInt64.random(in: 0 ... .max), radix: 36))
    let number = openat(folder, place, creation, mode)
    guard number >= 0 else { throw SystemFailure(code: errno) }
    return (number, place)
  }

  /// True for the name of a temporary file for a file of that name, or of any if none is given.
  static func isTemporary(_ name: String, for original: String?) -> Bool {
    let prefix = original.map { ".\(shortened($0))." } ?? "."
    return name.utf8.starts(with: prefix.utf8) && name.hasSuffix(suffix)
  }

  private static let creation = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC

  /// - Returns: `nil` if another program uses the file or owns it.
  private static func claim(
    _ path: String, in folder: Int32, mode: mode_t
  ) throws(SystemFailure) -> Int32? {
    // Another program may take the file for a killed program's before it is locked.
    for _ in 0..<3 {
      let number = openat(folder, path, creation, mode)
      if number >= 0 {
        // Some network file systems have no locks.
        let isLocked = flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        if isLocked, isFile(number, at: path, in: folder) { return number }
        close(number)
      } else {
        guard errno == EEXIST else { throw SystemFailure(code: errno) }
        guard remove(path, in: folder) else { return nil }
      }
    }
    return nil
  }

  /// Removes the file if the program that created it has ended.
  private static func remove(_ path: String, in folder: Int32) -> Bool {
    let number = openat(folder, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { return errno == ENOENT }
    let file = OwnedDescriptor(number)
    // The lock is held until the file is removed.
    defer { withExtendedLifetime(file) {} }
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { return false }
    // The name may belong to a newer file by now.
    guard isFile(file.number, at: path, in: folder) else { return true }
    return unlinkat(folder, path, 0) == 0
  }

  /// True if the path leads to the open file, and the file is the user's own.
  private static func isFile(_ number: Int32, at path: String, in folder: Int32) -> Bool {
    var opened = stat()
    var named = stat()
    return fstat(number, &opened) == 0 && fstatat(folder, path, &named, AT_SYMLINK_NOFOLLOW) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
      && opened.st_mode & S_IFMT == S_IFREG && opened.st_uid == geteuid()
  }

  private static func path(for path: String, mark: String) -> String {
    // By scalars, because a slash and a combining mark after it are one character.
    let scalars = path.unicodeScalars
    let start = scalars.lastIndex(of: "/").map(scalars.index(after:)) ?? scalars.startIndex
    return String(scalars[..<start]) + ".\(shortened(String(scalars[start...]))).\(mark)\(suffix)"
  }

  /// A file name may have 255 bytes, and 40 scalars are at most 160 of them.
  private static func shortened(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(40)))
  }
}

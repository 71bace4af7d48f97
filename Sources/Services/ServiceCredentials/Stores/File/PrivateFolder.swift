import Foundation
import SpeechFiles

/// A folder that only its owner can access. It is held open, so that it cannot be replaced during
/// use.
struct PrivateFolder: ~Copyable {
  private let folder: OpenFolder

  private init(_ folder: consuming OpenFolder) {
    self.folder = folder
  }

  /// Opens the folder. If it does not exist, it is created if it is needed, or else `nil` returned.
  /// Throws `AICredentialError.insecureFile` if others have access to it or another user owns it.
  static func open(_ path: String, isNeeded: Bool) throws(AICredentialError) -> PrivateFolder? {
    if isNeeded { try make(path) }
    let number = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else {
      let code = errno
      if code == ENOENT, !isNeeded { return nil }
      throw notOpened(path, code, whatItShouldBe: "a folder")
    }
    let descriptor = OwnedDescriptor(number)
    try checkPrivacy(descriptor.status(of: path), of: path, mode: "700")
    return PrivateFolder(OpenFolder(descriptor: descriptor, path: path))
  }

  /// Lends the contents of a file in the folder; returns `nil` if it does not exist.
  func read<Result>(
    _ name: String, upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    let path = "\(folder.path)/\(name)"
    // Without O_NONBLOCK, opening a named pipe would block.
    let number = openat(
      folder.descriptor.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else {
      let code = errno
      if code == ENOENT { return nil }
      throw Self.notOpened(path, code, whatItShouldBe: "a file")
    }
    let file = OwnedDescriptor(number)
    let status = try file.status(of: path)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw AICredentialError.insecureFile(
        "“\(path)” is not a file. Move it away: mv \(path.quoted) \("\(path).old".quoted)")
    }
    try Self.checkPrivacy(status, of: path, mode: "600")
    guard status.st_size <= limit else {
      throw AICredentialError.corruptFile(
        "“\(path)” is larger than \(limit >> 20) MiB, the limit of that file. Move it away: "
          + "mv \(path.quoted) \("\(path).old".quoted)")
    }
    return try file.withContents(of: path, upTo: Int(status.st_size), body)
  }

  /// Replaces a file in one step that happens completely or not at all, and removes temporary files
  /// of killed writers. Requires the lock. After an error the file is unchanged.
  func replace(_ name: String, with bytes: UnsafeRawBufferPointer) throws(AICredentialError) {
    folder.sweep(name)
    do throws(SystemFailure) {
      try folder.replace(name, with: bytes, mode: 0o600)
    } catch {
      throw notWritten(name, error.code)
    }
  }

  /// Runs the body while holding the named lock, which the system releases if the process ends.
  /// Returns `nil` without running the body if another process holds the lock.
  func withLock<Result>(_ name: String, _ body: () throws -> Result) throws -> Result? {
    do {
      return try folder.withLock(name, body)
    } catch let failure as SystemFailure {
      throw notWritten(name, failure.code)
    }
  }

  /// Creates the folder and its parents, accessible to the owner only.
  private static func make(_ path: String) throws(AICredentialError) {
    let above = (path as NSString).deletingLastPathComponent
    var isMade = mkdir(path, 0o700) == 0
    if !isMade, errno == ENOENT, above != path, !above.isEmpty {
      try make(above)
      isMade = mkdir(path, 0o700) == 0
    }
    guard isMade else {
      if errno == EEXIST { return }
      throw .storageFailed(
        "The folder “\(path)” cannot be created: \(SystemFailure(code: errno)). "
          + "Create it yourself, or set XDG_DATA_HOME to a writable folder.")
    }
    // An unusual umask may remove the owner's permissions as well.
    chmod(path, 0o700)
  }

  private static func checkPrivacy(
    _ status: stat, of path: String, mode: String
  ) throws(AICredentialError) {
    guard status.st_uid == geteuid() else {
      throw .insecureFile(
        "“\(path)” belongs to another user (\(status.st_uid)), who could read or change its "
          + "secrets. Run the program as that user, or take ownership: "
          + "chown \(geteuid()) \(path.quoted) && chmod \(mode) \(path.quoted)")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .insecureFile(
        "Others have access to “\(path)”, which holds secrets. Restrict it: "
          + "chmod \(mode) \(path.quoted)")
    }
  }

  private static func notOpened(
    _ path: String, _ code: Int32, whatItShouldBe: String
  ) -> AICredentialError {
    var status = stat()
    // Distinguishes an error of this file from one of its parents.
    let isThere = lstat(path, &status) == 0
    return switch code {
    case ELOOP where isThere, ENOTDIR where isThere:
      .insecureFile(
        "“\(path)” is a symbolic link or not \(whatItShouldBe), so secrets could end up "
          + "elsewhere. Move it away: mv \(path.quoted) \("\(path).old".quoted)")
    default:
      .storageFailed(
        "“\(path)” cannot be opened: \(SystemFailure(code: code)). "
          + "Check the folders above it, or set XDG_DATA_HOME to another one.")
    }
  }

  private func notWritten(_ name: String, _ code: Int32) -> AICredentialError {
    .storageFailed(
      "“\(folder.path)/\(name)” cannot be written: \(SystemFailure(code: code)). "
        + "The credentials stored before are unchanged.")
  }
}

extension String {
  /// The text quoted as one shell word.
  fileprivate var quoted: String {
    allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
      ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}

import Foundation
import SpeechFiles

/// A folder that only its owner may look into, held open, so that it cannot be exchanged under our hands.
struct PrivateFolder: ~Copyable {
  private let folder: OpenFolder

  private init(_ folder: consuming OpenFolder) {
    self.folder = folder
  }

  /// Opens the folder; `nil` when there is none.
  ///
  /// - Parameter isNeeded: whether to make it, and the folders above it, when there is none.
  /// - Throws: `AICredentialError.insecureFile` when others can look into it, or it is somebody else's.
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

  /// Lends what is in a file of the folder; `nil` when there is no such file.
  ///
  /// - Throws: `AICredentialError`; what the body throws.
  func read<Result>(
    _ name: String, upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    let path = "\(folder.path)/\(name)"
    // Without O_NONBLOCK a named pipe would keep us here.
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
        "“\(path)” is larger than \(limit >> 20) MiB, which it never is. Move it away: "
          + "mv \(path.quoted) \("\(path).old".quoted)")
    }
    return try file.withContents(of: path, upTo: Int(status.st_size), body)
  }

  /// Puts a file with those bytes in the place of the present one, in one step that either happens or not.
  ///
  /// - Throws: `AICredentialError.storageFailed`; the file is as it was then.
  func replace(_ name: String, with bytes: UnsafeRawBufferPointer) throws(AICredentialError) {
    do throws(SystemFailure) {
      try folder.replace(name, with: bytes, mode: 0o600)
    } catch {
      throw notWritten(name, error.code)
    }
  }

  /// Removes what writers left who were killed. Only for the one who has the lock.
  func sweep(_ name: String) {
    folder.sweep(name)
  }

  /// Runs the body with the lock of that name, which the system gives back if the process ends; `nil`, and
  /// nothing has run, when somebody else has it.
  ///
  /// - Throws: `AICredentialError.storageFailed`; what the body throws.
  func withLock<Result>(_ name: String, _ body: () throws -> Result) throws -> Result? {
    do {
      return try folder.withLock(name, body)
    } catch let failure as SystemFailure {
      throw notWritten(name, failure.code)
    }
  }

  /// Makes the folder and those above it, for nobody else to look into.
  private static func make(_ path: String) throws(AICredentialError) {
    if mkdir(path, 0o700) == 0 {
      // A strange umask takes from the owner, too.
      chmod(path, 0o700)
      return
    }
    switch errno {
    case EEXIST: return
    case ENOENT:
      let above = (path as NSString).deletingLastPathComponent
      guard above != path, !above.isEmpty else { break }
      try make(above)
      if mkdir(path, 0o700) == 0 {
        chmod(path, 0o700)
        return
      }
      if errno == EEXIST { return }
    default: break
    }
    throw .storageFailed(
      "The folder “\(path)” cannot be made: \(systemMessage(errno)). Make it yourself, or set "
        + "XDG_DATA_HOME to a folder that can be written to.")
  }

  private static func checkPrivacy(
    _ status: stat, of path: String, mode: String
  ) throws(AICredentialError) {
    guard status.st_uid == geteuid() else {
      throw .insecureFile(
        "“\(path)” belongs to another user (\(status.st_uid)), who could read or change the secrets in "
          + "it. Run the program as that user, or take it over: "
          + "chown \(geteuid()) \(path.quoted) && chmod \(mode) \(path.quoted)")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .insecureFile(
        "Others can look into “\(path)”, which holds secrets. Close it: "
          + "chmod \(mode) \(path.quoted)")
    }
  }

  private static func notOpened(
    _ path: String, _ code: Int32, whatItShouldBe: String
  ) -> AICredentialError {
    var status = stat()
    // Without this look one would not know whether it is this or something above it.
    let isThere = lstat(path, &status) == 0
    return switch code {
    case ELOOP where isThere, ENOTDIR where isThere:
      .insecureFile(
        "“\(path)” is a symbolic link or not \(whatItShouldBe), so that secrets could end up elsewhere. "
          + "Move it away: mv \(path.quoted) \("\(path).old".quoted)")
    default:
      .storageFailed(
        "“\(path)” cannot be opened: \(systemMessage(code)). Look at the folders above it, or set "
          + "XDG_DATA_HOME to another one.")
    }
  }

  private func notWritten(_ name: String, _ code: Int32) -> AICredentialError {
    .storageFailed(
      "“\(folder.path)/\(name)” cannot be written: \(systemMessage(code)). What was stored before is still "
        + "there.")
  }
}

extension String {
  /// The text as one word of a shell.
  fileprivate var quoted: String {
    allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
      ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}

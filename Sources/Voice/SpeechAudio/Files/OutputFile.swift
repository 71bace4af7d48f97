import Foundation

/// A file that gets its name only when it is complete.
///
/// A regular file is written under a temporary name in the same folder, so that an older one is
/// unchanged until the new one is complete. If nothing can be created or replaced in the folder,
/// but the older file is writable, the complete new one is copied over it: only an interruption of
/// that copy loses data. A pipe or a device is written directly.
final class OutputFile {
  let descriptor: Int32
  /// True for a regular file, which can be seeked.
  let isSeekable: Bool
  /// The final path.
  let path: String
  private var temporaryPath: String?
  private let isReplacing: Bool
  private var isCommitted = false

  init(_ url: URL) throws(AudioError) {
    let asked = url.path(percentEncoded: false)
    guard url.isFileURL, !asked.contains("\0"), !asked.hasSuffix("/") else {
      throw .writeFailed(path: url.absoluteString, reason: "it is not a file URL")
    }
    var status = stat()
    let exists = stat(asked, &status) == 0
    let kind = exists ? status.st_mode & S_IFMT : S_IFREG
    if kind == S_IFDIR { throw .writeFailed(path: asked, reason: "it is a folder") }

    guard kind == S_IFREG, !asked.hasPrefix("/dev/") else {
      // Without O_NONBLOCK a pipe without a reader would block.
      descriptor = open(asked, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      path = asked
      isSeekable = false
      isReplacing = false
      guard descriptor >= 0 else {
        let reason = errno == ENXIO ? "no program reads from this pipe" : systemMessage(errno)
        throw .writeFailed(path: asked, reason: reason)
      }
      return
    }

    // A symbolic link stays one; its target is replaced.
    path = exists ? Self.resolved(asked) : asked
    isSeekable = true
    isReplacing = exists
    if exists, access(path, W_OK) != 0 {
      throw .writeFailed(path: path, reason: systemMessage(errno))
    }
    let place = URL(filePath: path)
    let folder = place.deletingLastPathComponent()
    var made = Self.make(in: folder, for: place, mode: 0o666)
    let code = errno
    if made == nil, exists, Self.refusals.contains(code),
      let elsewhere = Self.make(
        in: FileManager.default.temporaryDirectory, for: place, mode: 0o600)
    {
      unlink(elsewhere.path)
      made = (elsewhere.descriptor, "")
    }
    guard let made else {
      descriptor = -1
      let name = folder.path(percentEncoded: false)
      throw .writeFailed(
        path: path, reason: code == ENOENT ? "there is no folder “\(name)”" : systemMessage(code))
    }
    descriptor = made.descriptor
    guard !made.path.isEmpty else { return }
    temporaryPath = made.path
    if exists { fchmod(descriptor, status.st_mode & 0o777) }
  }

  deinit {
    close(descriptor)
    if let temporaryPath { unlink(temporaryPath) }
  }

  /// Gives the complete file its name; an incomplete one is removed with this object instead.
  func commit() throws(AudioError) {
    guard isSeekable, !isCommitted else { return }
    guard fsync(descriptor) == 0 else { throw failure(errno) }
    if let temporaryPath {
      if rename(temporaryPath, path) == 0 {
        self.temporaryPath = nil
      } else {
        guard isReplacing, Self.refusals.contains(errno) else { throw failure(errno) }
        try overwrite()
      }
    } else {
      try overwrite()
    }
    isCommitted = true
  }

  /// The errors of a folder in which nothing can be created, or of a file that cannot be replaced,
  /// such as another user's in a shared folder, or one that is a mount point.
  private static let refusals = [EACCES, EPERM, EROFS, EBUSY]

  /// Creates a file in that folder; `nil` with `errno` when that is impossible.
  private static func make(
    in folder: URL, for place: URL, mode: mode_t
  ) -> (descriptor: Int32, path: String)? {
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    // A name may have 255 bytes, and 40 scalars are at most 160 of them.
    let path = folder.appending(
      path: ".\(String(place.lastPathComponent.unicodeScalars.prefix(40))).\(mark).part"
    ).path(percentEncoded: false)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    return descriptor >= 0 ? (descriptor, path) : nil
  }

  /// Copies the complete file into the older one.
  private func overwrite() throws(AudioError) {
    let target = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard target >= 0 else { throw failure(errno) }
    defer { close(target) }
    let copy = ByteSink(stream: target)
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = pread(descriptor, &piece, piece.count, off_t(copy.position))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      guard count > 0 else { break }
      _ = piece.withUnsafeBytes { copy.write(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      guard copy.failure == 0 else { throw failure(copy.failure) }
    }
    guard fsync(target) == 0 else { throw failure(errno) }
  }

  private func failure(_ code: Int32) -> AudioError {
    .writeFailed(path: path, reason: systemMessage(code))
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

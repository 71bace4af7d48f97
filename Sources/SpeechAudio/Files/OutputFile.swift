import Foundation

/// A file that takes its name only when it is complete.
///
/// A regular file is written beside its place under a temporary name, so that an older one stays as it
/// is until the new one is whole. A pipe or a device is written directly.
final class OutputFile {
  let descriptor: Int32
  /// Whether it is a regular file, where one can go back.
  let isSeekable: Bool
  /// The place it is for.
  let path: String
  private var temporaryPath: String?

  init(_ url: URL) throws(AudioError) {
    let asked = url.path(percentEncoded: false)
    guard url.isFileURL, !asked.contains("\0"), !asked.hasSuffix("/") else {
      throw .writeFailed(path: url.absoluteString, reason: "it is not the address of a file")
    }
    var status = stat()
    let exists = stat(asked, &status) == 0
    let kind = exists ? status.st_mode & S_IFMT : S_IFREG
    if kind == S_IFDIR { throw .writeFailed(path: asked, reason: "it is a folder") }

    guard kind == S_IFREG, !asked.hasPrefix("/dev/") else {
      // Without O_NONBLOCK a pipe that nobody reads would keep us here.
      descriptor = open(asked, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      path = asked
      isSeekable = false
      guard descriptor >= 0 else {
        let reason = errno == ENXIO ? "nobody reads from this pipe" : systemMessage(errno)
        throw .writeFailed(path: asked, reason: reason)
      }
      return
    }

    // A symbolic link stays one; what it points to is replaced.
    path = exists ? Self.resolved(asked) : asked
    isSeekable = true
    if exists, access(path, W_OK) != 0 {
      throw .writeFailed(path: path, reason: systemMessage(errno))
    }
    let place = URL(filePath: path)
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    // A name may have 255 bytes, and 40 scalars are at most 160 of them.
    let temporary = place.deletingLastPathComponent().appending(
      path: ".\(String(place.lastPathComponent.unicodeScalars.prefix(40))).\(mark).part"
    ).path(percentEncoded: false)
    descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let code = errno
      let folder = place.deletingLastPathComponent().path(percentEncoded: false)
      throw .writeFailed(
        path: path, reason: code == ENOENT ? "there is no folder “\(folder)”" : systemMessage(code))
    }
    temporaryPath = temporary
    if exists { fchmod(descriptor, status.st_mode & 0o777) }
  }

  deinit {
    close(descriptor)
    if let temporaryPath { unlink(temporaryPath) }
  }

  /// Gives the complete file its name; an incomplete one vanishes with this object instead.
  func commit() throws(AudioError) {
    guard let temporaryPath else { return }
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw .writeFailed(path: path, reason: systemMessage(errno))
    }
    self.temporaryPath = nil
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

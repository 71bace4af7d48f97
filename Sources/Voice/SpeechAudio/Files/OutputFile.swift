import Foundation
import SpeechFiles

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
  /// The owner of the descriptor of a regular file.
  private var draft: FileReplacement?
  /// True if the draft is in the folder for temporary files, and has to be copied.
  private var isElsewhere = false
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
    do throws(SystemFailure) {
      let made = try FileReplacement(
        path, mode: exists ? status.st_mode & 0o777 : 0o666, isExact: exists)
      descriptor = made.file.number
      draft = consume made
    } catch {
      let spare = FileManager.default.temporaryDirectory.appending(path: place.lastPathComponent)
      guard exists, Self.refusals.contains(error.code),
        let made = try? FileReplacement(spare.path(percentEncoded: false), mode: 0o600)
      else {
        descriptor = -1
        let folder = place.deletingLastPathComponent().path(percentEncoded: false)
        throw .writeFailed(
          path: path,
          reason: error.code == ENOENT ? "there is no folder “\(folder)”" : error.description)
      }
      descriptor = made.file.number
      draft = consume made
      isElsewhere = true
    }
  }

  deinit {
    if !isSeekable { close(descriptor) }
  }

  /// Gives the complete file its name; an incomplete one is removed with this object instead.
  func commit(isDurable: Bool = true) throws(AudioError) {
    guard isSeekable, !isCommitted else { return }
    guard !isDurable || fsync(descriptor) == 0 else { throw failure(errno) }
    do throws(SystemFailure) {
      if !isElsewhere { try draft?.commit(isDurable: false) }
    } catch {
      guard isReplacing, Self.refusals.contains(error.code) else { throw failure(error.code) }
      isElsewhere = true
    }
    if isElsewhere { try overwrite(isDurable: isDurable) }
    isCommitted = true
  }

  /// The errors of a folder in which nothing can be created, or of a file that cannot be replaced,
  /// such as another user's in a shared folder, or one that is a mount point.
  private static let refusals = [EACCES, EPERM, EROFS, EBUSY]

  private func overwrite(isDurable: Bool) throws(AudioError) {
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
    guard !isDurable || fsync(target) == 0 else { throw failure(errno) }
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

package enum WholeFile {
  /// Writes the bytes to a file, which gets its name when all of them are stored; an older one is
  /// unchanged until then.
  ///
  /// - Parameter isDurable: waits until the bytes are on the disk.
  /// - Throws: `AudioError.writeFailed`.
  package static func write(
    _ data: Data, to url: URL, isDurable: Bool = true
  ) throws(AudioError) {
    let file = try OutputFile(url)
    let sink = ByteSink(file)
    _ = data.withUnsafeBytes(sink.write)
    guard sink.failure == 0 else {
      throw .writeFailed(path: file.path, reason: systemMessage(sink.failure))
    }
    try file.commit(isDurable: isDurable)
  }
}

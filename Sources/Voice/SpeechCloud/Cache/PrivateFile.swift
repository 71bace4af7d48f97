import Foundation

/// Files that only their owner reads, written whole or not at all.
enum PrivateFile {
  private static let temporaryPrefix = ".new-"

  static func isTemporary(_ url: URL) -> Bool {
    url.lastPathComponent.hasPrefix(temporaryPrefix)
  }

  /// Writes beside the place and moves the file there, so that another program sees the old, the new, or
  /// nothing.
  static func write(_ data: Data, to url: URL) -> Bool {
    let temporary = url.deletingLastPathComponent()
      .appending(path: temporaryPrefix + UUID().uuidString)
    let descriptor = open(
      temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: data)
      try file.close()
      guard rename(temporary.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
      return true
    } catch {
      unlink(temporary.path)
      return false
    }
  }
}

import Foundation

/// The identity of a file that was checked before.
struct FileStamp: Hashable, Sendable {
  var name: String
  var device: UInt64
  var inode: UInt64
  var size: Int
  /// The time of the last change in nanoseconds.
  var modified: Int

  /// `nil` if there is no such file.
  init?(_ url: URL) {
    // Not with FileManager, which also looks up the names of the owners.
    var status = stat()
    guard stat(url.path, &status) == 0 else { return nil }
    name = url.lastPathComponent
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
  }
}

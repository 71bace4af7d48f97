import Foundation

/// The identity of a file or folder, whatever names and links lead to it.
package struct FileIdentity: Equatable {
  package let isFolder: Bool
  private let device: dev_t
  private let number: ino_t

  /// Returns `nil` for a missing file, a pipe or a device: nothing in them could be overwritten.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init?(_ status: stat) {
    guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return nil }
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    device = status.st_dev
    number = status.st_ino
  }
}

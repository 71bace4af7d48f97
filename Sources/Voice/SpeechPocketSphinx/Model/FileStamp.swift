import Foundation

/// The identity of a file that was checked before.
struct FileStamp: Hashable, Sendable {
  var path: String
  var size: Int
  var modified: Date?
  var inode: Int

  /// `nil` if there is no such file.
  init?(_ url: URL) {
    path = url.resolvingSymlinksInPath().path
    guard let values = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    size = (values[.size] as? NSNumber)?.intValue ?? -1
    modified = values[.modificationDate] as? Date
    inode = (values[.systemFileNumber] as? NSNumber)?.intValue ?? -1
  }
}

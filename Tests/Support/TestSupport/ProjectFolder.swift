import Foundation

/// The folder of the package that the tests belong to.
package enum ProjectFolder {
  /// The nearest folder above this file that has a `Package.swift`.
  package static let root: URL = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path != "/",
      !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
    {
      folder.deleteLastPathComponent()
    }
    return folder
  }()
}

import Foundation

/// A folder for a test of credentials, removed on deinitialisation.
final class PrivateWorkshop: Sendable {
  let folder: URL

  init() throws {
    // Short, because the path of a socket has at most 107 bytes.
    folder = URL(filePath: "/tmp/sk-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // Some tests remove their own write permission.
    for name in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
      if let name = name as? String { chmod(path(name), 0o700) }
    }
    try? FileManager.default.removeItem(at: folder)
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func write(_ text: String, to name: String, mode: mode_t = 0o600) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
    chmod(path(name), mode)
  }

  func text(of name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// All names in a folder, hidden ones included.
  func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
  }

  /// The mode of a file or folder without its kind.
  func mode(of name: String) -> mode_t? {
    var status = stat()
    return lstat(path(name), &status) == 0 ? status.st_mode & 0o7777 : nil
  }
}

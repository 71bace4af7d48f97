import Foundation

/// A folder for one test, which goes with this object.
final class TrafficWorkshop: Sendable {
  let folder: URL
  var file: URL { folder.appending(path: "fixtures/traffic.jsonl") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "traffic-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }
}

import Foundation

/// A folder for one test, removed on deinitialisation.
package final class TrafficWorkshop: Sendable {
  package let folder: URL
  package var file: URL { folder.appending(path: "fixtures/traffic.jsonl") }

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "traffic-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }
}

import Foundation

extension PocketSphinxModel {
  /// The file of that name in the first of the folders that are searched for models, such as a
  /// grammar next to them.
  package static func file(named name: String) -> URL? {
    PocketSphinxModelPlaces.current.folders.map { $0.appendingPathComponent(name) }
      .first { FileManager.default.isReadableFile(atPath: $0.path) }
  }
}

import Foundation

extension PocketSphinxModel {
  /// The file of that name in the first of the places that models are searched in, such as a grammar
  /// beside them.
  package static func file(named name: String) -> URL? {
    PocketSphinxModelPlaces.current.folders.map { $0.appendingPathComponent(name) }
      .first { FileManager.default.isReadableFile(atPath: $0.path) }
  }
}

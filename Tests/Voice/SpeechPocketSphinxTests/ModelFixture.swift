import Foundation

@testable import SpeechPocketSphinx

/// A copy of the distribution's model, made of links, in which single files can be replaced.
struct ModelFixture: ~Copyable {
  let folder: URL
  private let acoustic: URL

  static let original = PocketSphinxModelPlaces.distribution.appendingPathComponent("en-us")

  init() throws {
    let files = FileManager.default
    folder = files.temporaryDirectory.appendingPathComponent("model-\(UUID().uuidString)/en-us")
    acoustic = folder.appendingPathComponent("en-us")
    try files.createDirectory(at: acoustic, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: Self.original.path) where name != "en-us" {
      try files.createSymbolicLink(
        at: folder.appendingPathComponent(name),
        withDestinationURL: Self.original.appendingPathComponent(name))
    }
    let originals = Self.original.appendingPathComponent("en-us")
    for name in try files.contentsOfDirectory(atPath: originals.path) {
      try files.createSymbolicLink(
        at: acoustic.appendingPathComponent(name),
        withDestinationURL: originals.appendingPathComponent(name))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

  func original(_ name: String) throws -> Data {
    let part = folder.appendingPathComponent(name)
    let isInFolder = (try? FileManager.default.attributesOfItem(atPath: part.path)) != nil
    return try Data(
      contentsOf: isInFolder
        ? Self.original.appendingPathComponent(name)
        : Self.original.appendingPathComponent("en-us/\(name)"))
  }

  func replace(_ name: String, by data: Data) throws {
    let target = url(name)
    try FileManager.default.removeItem(at: target)
    try data.write(to: target)
  }

  func replace(_ name: String, by text: String) throws {
    try replace(name, by: Data(text.utf8))
  }

  private func url(_ name: String) -> URL {
    let part = folder.appendingPathComponent(name)
    let isInFolder = (try? FileManager.default.attributesOfItem(atPath: part.path)) != nil
    return isInFolder && name != "en-us" ? part : acoustic.appendingPathComponent(name)
  }
}

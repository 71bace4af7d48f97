import Foundation

/// Files of a folder that belong together, listed with their contents in `manifest.json`.
///
/// The manifest is written last. A program that reads the set checks it, so that files of different
/// sets are noticed, as well as damaged ones. See `FileSetReplacement` for a set that is written as
/// a whole; a set whose files grow in place is sealed at its end.
package struct FileSet: Codable, Equatable, Sendable {
  /// The length and the digest of a file.
  struct Entry: Codable, Equatable, Sendable {
    var bytes: Int
    var digest: String
  }

  var files: [String: Entry]

  /// The name of the manifest.
  package static let manifest = "manifest.json"

  /// A file of a set that is missing or does not belong to it.
  package struct Mismatch: Error, Equatable {
    package var file: String
  }

  /// Reads the manifest of a folder, and completes a replacement whose program was killed after it
  /// had taken effect.
  ///
  /// - Returns: `nil` for a folder without a manifest.
  /// - Throws: `Mismatch` if the manifest itself is damaged.
  package static func manifest(of folder: String) throws(Mismatch) -> FileSet? {
    FileSetReplacement.settle(folder)
    guard let data = try? Data(contentsOf: URL(filePath: folder + "/" + manifest)) else {
      return nil
    }
    guard let set = try? JSONDecoder().decode(FileSet.self, from: data) else {
      throw Mismatch(file: manifest)
    }
    return set
  }

  /// Checks that the files of a folder are those of the set.
  ///
  /// - Throws: `Mismatch` with the first file that is not.
  package func check(in folder: String) throws(Mismatch) {
    for (name, entry) in files.sorted(by: { $0.key < $1.key })
    where (try? Self.entry(for: folder + "/" + name)) != entry {
      throw Mismatch(file: name)
    }
  }

  /// Writes the manifest of files that are whole.
  ///
  /// - Parameter isDurable: waits until all of them are on the disk.
  package static func seal(
    _ names: [String], in folder: String, isDurable: Bool
  ) throws(SystemFailure) {
    var set = FileSet(files: [:])
    for name in names {
      set.files[name] = try entry(for: folder + "/" + name, isDurable: isDurable)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(set) else { throw SystemFailure(code: EINVAL) }
    try (data + Data("\n".utf8)).replace(folder + "/" + manifest, isDurable: isDurable)
  }

  private static func entry(
    for path: String, isDurable: Bool = false
  ) throws(SystemFailure) -> Entry {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemFailure(code: errno) }
    let file = OwnedDescriptor(number)
    guard !isDurable || fsync(file.number) == 0 else { throw SystemFailure(code: errno) }
    var digest = FileDigest()
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(file.number, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemFailure(code: errno) }
      guard count > 0 else { break }
      piece.withUnsafeBytes { digest.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    return Entry(bytes: digest.count, digest: digest.text)
  }
}

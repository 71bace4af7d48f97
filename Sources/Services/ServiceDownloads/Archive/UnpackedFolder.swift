import Foundation
import SpeechFiles

/// A folder of an archive that is installed as a folder of the same name.
struct UnpackedFolder {
  /// The place of the folder.
  let path: String
  /// The name of the folder within the archive.
  let name: String

  /// More than any library needs, and little enough for any disk.
  private static let maximumSize = 512 << 20
  /// The file in the folder that names its origin.
  private static let originName = "origin.txt"

  private var draft: String {
    let folder = (path as NSString).deletingLastPathComponent
    return "\(folder)/.\((path as NSString).lastPathComponent).new"
  }

  /// The digest of the archive that the folder is from; `nil` if it was not installed from here.
  var origin: String? {
    try? String(contentsOfFile: "\(path)/\(Self.originName)", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Unpacks the folder, and gives it its place when all of it is on the disk. The caller holds the
  /// archive's lock.
  ///
  /// - Throws: `DownloadError`; `CancellationError`.
  func install(from archive: String, origin: String) throws {
    let files = FileManager.default
    // Left by a program that was killed.
    try? files.removeItem(atPath: draft)
    defer { try? files.removeItem(atPath: draft) }
    do {
      let zip = try ZipArchive(try Data(contentsOf: URL(filePath: archive), options: .alwaysMapped))
      let entries = try chosen(of: zip)
      try files.createDirectory(atPath: draft, withIntermediateDirectories: true)
      for entry in entries { try unpack(entry, of: zip) }
      try Data("\(origin)\n".utf8).replace("\(draft)/\(Self.originName)")
    } catch let error as ZipError {
      throw DownloadError.damagedArchive(path: archive, reason: error.reason)
    } catch let error as SystemFailure {
      throw DownloadError.unwritable(path: path, reason: error.description)
    } catch let error as CocoaError {
      throw DownloadError.unwritable(path: path, reason: error.localizedDescription)
    }
    PartialFile.flushFolder(of: "\(draft)/\(Self.originName)")
    guard rename(draft, path) == 0 else {
      throw DownloadError.unwritable(
        path: path, reason: SystemFailure(code: errno).description)
    }
    PartialFile.flushFolder(of: path)
  }

  /// The files in the folder of the archive. Folders within it are not needed by any library.
  private func chosen(of zip: ZipArchive) throws(ZipError) -> [ZipArchive.Entry] {
    let entries = zip.entries.filter { entry in
      let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
      return parts.count == 2 && parts[0] == name && !["", ".", ".."].contains(parts[1])
        && !entry.name.utf8.contains(0)
    }
    guard !entries.isEmpty else { throw ZipError("it has no folder \(name)") }
    guard entries.reduce(0, { $0 + $1.size }) <= Self.maximumSize else {
      throw ZipError("its files are too large")
    }
    return entries
  }

  private func unpack(_ entry: ZipArchive.Entry, of zip: ZipArchive) throws {
    try Task.checkCancellation()
    let file = "\(draft)/\((entry.name as NSString).lastPathComponent)"
    var replacement = try FileReplacement(file, mode: 0o755, isExact: false)
    try zip.unpack(entry) { try replacement.write($0) }
    try replacement.commit()
  }

  /// Removes the folder, in one step for programs that look for it.
  func remove() throws(DownloadError) {
    let old = draft
    try? FileManager.default.removeItem(atPath: old)
    guard rename(path, old) == 0 else {
      throw .unwritable(path: path, reason: SystemFailure(code: errno).description)
    }
    try? FileManager.default.removeItem(atPath: old)
  }
}

import Foundation
import ServiceCredentials
import SpeechFiles

/// The part of a file that has been transferred so far, which stays when the program ends, and
/// takes the place of the file when it is whole.
///
/// It is locked for as long as the value exists, so that two programs do not write it at once.
struct PartialFile: ~Copyable {
  /// The address that the bytes are from, and the server's name for their version.
  struct Version: Equatable {
    var address: String
    /// The entity tag, which is a strong one.
    var tag: String
  }

  let path: String
  private(set) var count: Int
  private let file: OwnedDescriptor

  /// Opens or creates the file, in the folder of the one that it is for.
  ///
  /// The name contains the digest, so that the parts of different files are not joined.
  init(for place: String, digest: PublishedFile.Digest) throws(DownloadError) {
    try self.init(
      "\(Self.beginning(of: place))\(digest.digits.prefix(8))\(Self.ending)", for: place)
  }

  /// The parts of the file at that place that are there, whatever their digests.
  static func paths(for place: String) -> [String] {
    let folder = (place as NSString).deletingLastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.map { "\(folder)/\($0)" }.filter {
      $0.hasPrefix(beginning(of: place)) && $0.hasSuffix(ending)
    }
  }

  private static let ending = ".download"

  private static func beginning(of place: String) -> String {
    let folder = (place as NSString).deletingLastPathComponent
    return "\(folder)/.\((place as NSString).lastPathComponent)."
  }

  /// Opens or creates the file of that path, which is a part of the one at the place.
  init(_ path: String, for place: String) throws(DownloadError) {
    self.path = path
    // A program that ends at this moment may rename or remove the file before it is locked.
    for _ in 0..<100 {
      let number = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard number >= 0 else { throw Self.unwritable(path, errno) }
      let file = OwnedDescriptor(number)
      guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
        guard errno == EWOULDBLOCK else {
          throw .unwritable(path: path, reason: SystemFailure(code: errno).description)
        }
        throw .inUse(path: place)
      }
      var opened = stat()
      var named = stat()
      guard fstat(number, &opened) == 0, opened.st_mode & S_IFMT == S_IFREG else {
        throw .unwritable(path: path, reason: "it is not a file")
      }
      if lstat(path, &named) == 0, named.st_ino == opened.st_ino, named.st_dev == opened.st_dev {
        count = Int(opened.st_size)
        self.file = file
        return
      }
    }
    throw .inUse(path: place)
  }

  /// Adds bytes at the end.
  mutating func append(_ bytes: some ContiguousBytes) throws(DownloadError) {
    guard lseek(file.number, off_t(count), SEEK_SET) >= 0 else { throw failure(errno) }
    let code = bytes.withUnsafeBytes { file.write($0) }
    // Some of the bytes may be there even if it failed.
    count = max(0, Int(lseek(file.number, 0, SEEK_CUR)))
    guard code == 0 else { throw failure(code) }
  }

  /// The version that the bytes are from; `nil` if it is not known.
  var version: Version? {
    guard count > 0, let text = try? String(contentsOfFile: versionPath, encoding: .utf8) else {
      return nil
    }
    let lines = text.split(separator: "\n").map(String.init)
    return lines.count == 2 ? Version(address: lines[0], tag: lines[1]) : nil
  }

  /// Stores the version of the bytes that follow.
  func store(_ version: Version) {
    // Without it, another version is noticed by its digest only.
    try? Data("\(version.address)\n\(version.tag)\n".utf8).replace(versionPath)
  }

  private var versionPath: String { path + ".version" }

  /// Removes all bytes.
  mutating func clear() throws(DownloadError) {
    unlink(versionPath)
    guard ftruncate(file.number, 0) == 0 else { throw failure(errno) }
    count = 0
  }

  /// Compares the file with a digest.
  ///
  /// - Throws: `DownloadError.wrongDigest`; `CancellationError`.
  func check(_ expected: PublishedFile.Digest, source: String) throws {
    let found = try Self.digest(of: file.number, like: expected, path: path)
    guard found == expected else {
      throw DownloadError.wrongDigest(source: source, found: found, expected: expected)
    }
  }

  /// True if the file has that digest.
  static func has(_ expected: PublishedFile.Digest, at path: String) throws -> Bool {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else {
      throw DownloadError.unreadable(path: path, reason: SystemFailure(code: errno).description)
    }
    let file = OwnedDescriptor(number)
    return try digest(of: file.number, like: expected, path: path) == expected
  }

  private static func digest(
    of number: Int32, like expected: PublishedFile.Digest, path: String
  ) throws -> PublishedFile.Digest {
    var stream: DigestStream
    if case .sha1 = expected {
      stream = DigestStream(.sha1)
    } else {
      stream = DigestStream(.sha256)
    }
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    var position: off_t = 0
    while true {
      try Task.checkCancellation()
      let count = pread(number, &piece, piece.count, position)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw DownloadError.unreadable(path: path, reason: SystemFailure(code: errno).description)
      }
      guard count > 0 else { break }
      piece.withUnsafeBytes { stream.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      position += off_t(count)
    }
    if case .sha1 = expected { return .sha1(stream.hexadecimal) }
    return .sha256(stream.hexadecimal)
  }

  /// Gives the file its name, once its bytes are on the disk.
  func commit(to place: String) throws(DownloadError) {
    guard fsync(file.number) == 0, rename(path, place) == 0 else {
      throw Self.unwritable(place, errno)
    }
    unlink(versionPath)
    Self.flushFolder(of: place)
  }

  func remove() {
    unlink(versionPath)
    unlink(path)
  }

  /// Makes the names in a folder reach the disk. Not every file system can, and a caller could do
  /// nothing about a failure.
  static func flushFolder(of place: String) {
    let folder = open((place as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private func failure(_ code: Int32) -> DownloadError { Self.unwritable(path, code) }

  private static func unwritable(_ path: String, _ code: Int32) -> DownloadError {
    .unwritable(path: path, reason: SystemFailure(code: code).description)
  }
}

import Foundation

/// The files of a zip archive in memory, such as a Python package.
///
/// Archives beyond 4 GB, encrypted ones and those in several parts are refused.
struct ZipArchive {
  struct Entry {
    var name: String
    /// The size when it is unpacked.
    var size: Int
    fileprivate var packedSize: Int
    fileprivate var isDeflated: Bool
    fileprivate var checksum: UInt32
    fileprivate var offset: Int
  }

  let entries: [Entry]
  private let data: Data

  /// Reads the directory at the end of the archive.
  init(_ data: Data) throws(ZipError) {
    self.data = data
    entries = try Self.entries(data)
  }

  private static func entries(_ data: Data) throws(ZipError) -> [Entry] {
    let fixed = 22
    guard data.count >= fixed else { throw ZipError("it is not a zip archive") }
    // The end of the directory is followed by a comment of at most 64 KiB.
    let earliest = max(0, data.count - fixed - 65_535)
    var end = data.count - fixed
    while end >= earliest, try data.number(4, at: end) != 0x0605_4B50 { end -= 1 }
    guard end >= earliest else { throw ZipError("it is not a zip archive, or is cut off") }
    let count = try data.number(2, at: end + 10)
    guard try data.number(2, at: end + 4) == 0, try data.number(2, at: end + 8) == count else {
      throw ZipError("it is one of several parts")
    }
    var position = try data.number(4, at: end + 16)
    return try (0..<count).map { _ throws(ZipError) in try entry(data, &position) }
  }

  private static func entry(_ data: Data, _ position: inout Int) throws(ZipError) -> Entry {
    guard try data.number(4, at: position) == 0x0201_4B50 else {
      throw ZipError("its directory is damaged")
    }
    let method = try data.number(2, at: position + 10)
    guard try data.number(2, at: position + 8) & 1 == 0, method == 0 || method == 8 else {
      throw ZipError("it is encrypted, or compressed in an unknown way")
    }
    let nameLength = try data.number(2, at: position + 28)
    let others = try data.number(2, at: position + 30) + data.number(2, at: position + 32)
    let name = try data.bytes(nameLength, at: position + 46)
    let entry = Entry(
      name: String(decoding: name, as: UTF8.self), size: try data.number(4, at: position + 24),
      packedSize: try data.number(4, at: position + 20), isDeflated: method == 8,
      checksum: UInt32(try data.number(4, at: position + 16)),
      offset: try data.number(4, at: position + 42))
    position += 46 + nameLength + others
    return entry
  }

  /// Unpacks a file, piece by piece.
  ///
  /// Exactly the stated number of bytes is written, so that a small archive cannot fill the disk.
  func unpack(_ entry: Entry, write: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard try data.number(4, at: entry.offset) == 0x0403_4B50 else {
      throw ZipError("its directory is damaged")
    }
    let start =
      try entry.offset + 30 + data.number(2, at: entry.offset + 26)
      + data.number(2, at: entry.offset + 28)
    let packed = try data.bytes(entry.packedSize, at: start)
    var checksum: UInt32 = 0
    var written = 0
    func add(_ bytes: UnsafeRawBufferPointer) throws {
      guard bytes.count <= entry.size - written else { throw ZipError("a file in it is too long") }
      checksum = try Inflater.checksum(checksum, bytes)
      try write(bytes)
      written += bytes.count
    }
    if entry.isDeflated {
      try packed.withUnsafeBytes { packed in
        let inflater = try Inflater(packed)
        var room = [UInt8](repeating: 0, count: 1 << 18)
        while true {
          let count = try inflater.read(into: &room)
          guard count > 0 else { break }
          try room.withUnsafeBytes { try add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
      }
    } else {
      try packed.withUnsafeBytes { try add($0) }
    }
    guard written == entry.size, checksum == entry.checksum else {
      throw ZipError("a file in it is damaged")
    }
  }
}

extension Data {
  fileprivate func bytes(_ count: Int, at offset: Int) throws(ZipError) -> Data {
    guard offset >= 0, count <= self.count - offset else { throw ZipError("it is cut off") }
    return self[startIndex + offset..<startIndex + offset + count]
  }

  /// A number in little-endian bytes.
  fileprivate func number(_ count: Int, at offset: Int) throws(ZipError) -> Int {
    try bytes(count, at: offset).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

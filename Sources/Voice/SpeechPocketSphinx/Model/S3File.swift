import CPhoneScores
import Foundation
import SpeechCore

/// A parameter file of the Sphinx 3 format: a header of text, the byte order, numbers, a checksum.
struct S3File {
  private(set) var reader: ModelFileReader
  private let hasChecksum: Bool

  init(_ url: URL) throws(SpeechRecognitionError) {
    reader = try ModelFileReader(url)
    guard try reader.text(upTo: 0x0A, limit: 8) == "s3" else {
      throw reader.broken("it does not begin like one")
    }
    var checksum = false
    while true {
      let line = try reader.text(upTo: 0x0A, limit: 1024)
      let fields = line.split(separator: " ")
      if fields.first == "endhdr" { break }
      if fields.first == "chksum0", fields.last == "yes" { checksum = true }
    }
    hasChecksum = checksum
    let magic = try reader.uint32()
    switch magic {
    case 0x1122_3344: break
    case 0x4433_2211: reader.isSwapped = true
    default: throw reader.broken("its byte order cannot be told")
    }
    try verifyChecksum()
  }

  /// The checksum is the sum of the following words, rotated after each.
  private func verifyChecksum() throws(SpeechRecognitionError) {
    guard hasChecksum else { return }
    let words = reader.left / 4 - 1
    guard words >= 0, reader.left % 4 == 0 else { throw reader.broken("its length is odd") }
    let isSwapped = reader.isSwapped
    let isRight = try reader.withWords(words + 1) { bytes in
      guard let start = bytes.baseAddress else { return false }
      let last = bytes.loadUnaligned(fromByteOffset: words * 4, as: UInt32.self)
      return skph_checksum(start, words, isSwapped ? 1 : 0)
        == (isSwapped ? last.byteSwapped : last)
    }
    guard isRight else { throw reader.broken("its checksum is wrong") }
  }

  mutating func dimension(_ name: String) throws(SpeechRecognitionError) -> Int {
    let value = try reader.int32()
    guard (1...1_000_000).contains(value) else {
      throw reader.broken("the number of \(name) is \(value)")
    }
    return value
  }

  /// Reads the numbers up to the checksum, and checks their count and that they are finite.
  mutating func finish(count: Int) throws(SpeechRecognitionError) {
    guard try reader.int32() == count else {
      throw reader.broken("its sizes contradict each other")
    }
    guard reader.left == count * 4 + (hasChecksum ? 4 : 0) else {
      throw reader.broken("its length does not fit its sizes")
    }
    let isSwapped = reader.isSwapped
    let areFinite = try reader.withWords(count) { bytes in
      bytes.baseAddress.map { skph_are_finite($0, count, isSwapped ? 1 : 0) != 0 } ?? true
    }
    guard areFinite else { throw reader.broken("some of its numbers are none") }
  }
}

extension S3File {
  /// That many numbers up to the checksum, after the sizes that were read and checked. In the form
  /// of this machine they are not copied.
  func withNumbers<Result>(
    _ count: Int, _ body: (UnsafeBufferPointer<Float>) -> Result
  ) throws(SpeechRecognitionError) -> Result {
    let isSwapped = reader.isSwapped
    return try reader.withWords(count) { bytes in
      let address = UInt(bitPattern: bytes.baseAddress)
      if !isSwapped, address % UInt(MemoryLayout<Float>.alignment) == 0 {
        return body(bytes.bindMemory(to: Float.self))
      }
      let copy = [UInt32](unsafeUninitializedCapacity: count) { words, filled in
        if let start = bytes.baseAddress, let words = words.baseAddress {
          skph_copy_words(start, count, isSwapped ? 1 : 0, words)
        }
        filled = count
      }
      return copy.withUnsafeBytes { body($0.bindMemory(to: Float.self)) }
    }
  }
}

/// The sizes of a file of Gaussians: means or variances.
struct GaussianSizes: Equatable {
  var codebooks: Int
  var densities: Int
  var streams: [Int]

  /// The count of numbers in the file.
  var count: Int { codebooks * densities * streams.reduce(0, +) }

  init(_ url: URL) throws(SpeechRecognitionError) {
    var file = try S3File(url)
    try self.init(&file)
  }

  /// Leaves the file at its numbers.
  init(_ file: inout S3File) throws(SpeechRecognitionError) {
    codebooks = try file.dimension("codebooks")
    let streamCount = try file.dimension("streams")
    guard streamCount <= 16 else { throw file.reader.broken("it has \(streamCount) streams") }
    densities = try file.dimension("densities")
    streams = []
    for _ in 0..<streamCount { streams.append(try file.dimension("values in a stream")) }
    let (perDensity, overflows) = codebooks.multipliedReportingOverflow(by: densities)
    guard !overflows, perDensity < 1 << 32 else { throw file.reader.broken("its sizes are absurd") }
    try file.finish(count: count)
  }
}

/// The sizes of a file of transition matrices.
struct TransitionSizes: Equatable {
  var matrices: Int
  var states: Int

  init(_ url: URL) throws(SpeechRecognitionError) {
    var file = try S3File(url)
    matrices = try file.dimension("matrices")
    states = try file.dimension("states")
    let targets = try file.dimension("target states")
    guard states <= 64, targets == states + 1 else {
      throw file.reader.broken("its sizes contradict each other")
    }
    try file.finish(count: matrices * states * targets)
  }
}

/// The sizes of a file of uncompressed mixture weights.
struct MixtureWeightSizes: Equatable {
  var senones: Int
  var streams: Int
  var densities: Int
}

extension MixtureWeightSizes {
  init(_ url: URL) throws(SpeechRecognitionError) {
    var file = try S3File(url)
    try self.init(&file)
  }

  /// Leaves the file at its numbers.
  init(_ file: inout S3File) throws(SpeechRecognitionError) {
    self.init(
      senones: try file.dimension("senones"), streams: try file.dimension("streams"),
      densities: try file.dimension("densities"))
    guard streams <= 16, densities <= 65_536 else {
      throw file.reader.broken("its sizes are absurd")
    }
    try file.finish(count: senones * streams * densities)
  }
}

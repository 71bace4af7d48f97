import Foundation
import SpeechCore

/// Reads a model's file piece by piece, never beyond its end.
struct ModelFileReader {
  let url: URL
  private let data: Data
  private(set) var offset = 0
  /// True if the numbers have the other byte order than this machine.
  var isSwapped = false

  init(_ url: URL) throws(SpeechRecognitionError) {
    self.url = url
    do {
      // Always, as the library does: it shares the pages, and `mappedIfSafe` copies the file.
      data = try Data(contentsOf: url, options: .alwaysMapped)
    } catch {
      throw Self.broken(url, "it cannot be read")
    }
  }

  var count: Int { data.count }
  var left: Int { data.count - offset }

  static func broken(_ url: URL, _ reason: String) -> SpeechRecognitionError {
    .recognitionFailed(
      "The model file “\(url.path)” is broken: \(reason). Install the model again (on Debian: apt "
        + "install --reinstall pocketsphinx-en-us), or choose another one.")
  }

  func broken(_ reason: String) -> SpeechRecognitionError { Self.broken(url, reason) }

  mutating func bytes(_ count: Int) throws(SpeechRecognitionError) -> Data {
    guard count >= 0, left >= count else { throw broken("it ends too early") }
    defer { offset += count }
    return data[data.startIndex + offset..<data.startIndex + offset + count]
  }

  mutating func skip(_ count: Int) throws(SpeechRecognitionError) {
    guard count >= 0, left >= count else { throw broken("it ends too early") }
    offset += count
  }

  mutating func int32() throws(SpeechRecognitionError) -> Int {
    Int(Int32(bitPattern: try uint32()))
  }

  mutating func uint32() throws(SpeechRecognitionError) -> UInt32 {
    guard left >= 4 else { throw broken("it ends too early") }
    let word = data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    offset += 4
    return isSwapped ? word.byteSwapped : word
  }

  /// Reads the text up to a byte, which is consumed as well.
  mutating func text(
    upTo end: UInt8, limit: Int
  ) throws(SpeechRecognitionError) -> String {
    let start = data.startIndex + offset
    let stop = min(start + limit, data.endIndex)
    guard let found = data[start..<stop].firstIndex(of: end) else {
      throw broken("a text in it does not end")
    }
    offset = found + 1 - data.startIndex
    return String(decoding: data[start..<found], as: UTF8.self)
  }

  /// The bytes of that many 32-bit words at the current position, for fast processing.
  func withWords<Result>(
    _ count: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(SpeechRecognitionError) -> Result {
    guard count >= 0, count <= left / 4 else { throw broken("it ends too early") }
    return data.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count * 4]))
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The integer at an offset, in this byte order or in the other one.
  @inline(__always)
  func integer<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, at offset: Int, _ isSwapped: Bool
  ) -> Int {
    let value = loadUnaligned(fromByteOffset: offset, as: type)
    return Int(isSwapped ? value.byteSwapped : value)
  }
}

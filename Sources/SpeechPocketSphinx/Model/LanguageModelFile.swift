import Foundation
import SpeechCore

/// A language model on disk. The library finds out by itself what it cannot read; here is told in plain
/// words what is wrong, before half a second goes by.
enum LanguageModelFile {
  static func check(_ url: URL) throws(SpeechRecognitionError) {
    func broken(_ reason: String) -> SpeechRecognitionError {
      .recognitionFailed(
        "The language model “\(url.path)” cannot be used: \(reason). Install "
          + "\(PocketSphinxModel.package) again, or choose another one.")
    }
    guard let file = try? FileHandle(forReadingFrom: url),
      let start = try? file.read(upToCount: 64), let length = try? file.seekToEnd()
    else { throw broken("it cannot be read") }
    try? file.close()
    guard !start.isEmpty else { throw broken("it is empty") }
    let magic = Data("Trie Language Model".utf8)
    guard start.starts(with: magic) else { return }
    // The order, and for each length of word chains how many there are; a chain takes 4 bytes or more
    // (a single word 12).
    let order = start.dropFirst(magic.count).first.map(Int.init) ?? 0
    guard (1...5).contains(order), start.count >= magic.count + 1 + order * 4 else {
      throw broken("it ends too early")
    }
    var least = 0
    for index in 0..<order {
      let count = start.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: magic.count + 1 + index * 4, as: UInt32.self)
      }
      least += Int(UInt32(littleEndian: count)) * (index == 0 ? 12 : 4)
    }
    guard length >= least else { throw broken("it ends too early") }
    // The words come last, each with a zero behind it.
    guard let last = lastByte(of: url, length: length), last == 0 else {
      throw broken("it ends too early")
    }
  }

  private static func lastByte(of url: URL, length: UInt64) -> UInt8? {
    guard length > 0, let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    guard (try? file.seek(toOffset: length - 1)) != nil else { return nil }
    return try? file.read(upToCount: 1)?.first
  }
}

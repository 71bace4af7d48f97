import Foundation

/// A language model on disk, examined without reading it as a whole.
package enum LanguageModelFile {
  /// The words of the model; `nil` for formats that are not read here (compressed ones, and
  /// PocketSphinx's older binary one).
  package static func words(of url: URL) -> Set<String>? {
    guard let data = try? Data(contentsOf: url, options: .mappedIfSafe) else { return nil }
    let magic = BinaryModelFormat.title
    return data.starts(with: magic) ? binaryWords(data, magic.count) : textWords(data)
  }

  /// The last part of the file: its length, and the words, each with a zero byte after it.
  private static func binaryWords(_ data: Data, _ header: Int) -> Set<String>? {
    data.withUnsafeBytes { bytes in
      guard bytes.count > header + 5 else { return nil }
      let count = Int(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: header + 1, as: UInt32.self)))
      var words: Set<String> = []
      var end = bytes.count
      while words.count < count, end > header + 5, bytes[end - 1] == 0 {
        var start = end - 1
        while start > header + 5, bytes[start - 1] != 0 { start -= 1 }
        words.insert(String(decoding: bytes[start..<end - 1], as: UTF8.self))
        end = start
      }
      return words.count == count ? words : nil
    }
  }

  /// The second field of each line between “\1-grams:” and the next section.
  private static func textWords(_ data: Data) -> Set<String>? {
    var words: Set<String> = []
    var isInside = false
    var place = data.startIndex
    while place < data.endIndex {
      let end = data[place...].firstIndex(of: UInt8(ascii: "\n")) ?? data.endIndex
      let line = data[place..<end]
      place = end < data.endIndex ? end + 1 : end
      if line.first == UInt8(ascii: "\\") {
        if isInside { break }
        isInside = line.starts(with: Data("\\1-grams:".utf8))
      } else if isInside {
        let fields = line.split(maxSplits: 2) { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        if fields.count >= 2 { words.insert(String(decoding: fields[1], as: UTF8.self)) }
      }
    }
    return words.isEmpty ? nil : words
  }
}

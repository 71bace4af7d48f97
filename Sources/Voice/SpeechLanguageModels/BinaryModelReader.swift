import Foundation

/// Reads PocketSphinx's binary language models.
struct BinaryModelReader {
  private let data: [UInt8]
  private let path: String?
  private let layout: BinaryModelLayout
  private var counts: [Int] { layout.counts }

  static func isBinary(_ data: Data) -> Bool { data.starts(with: BinaryModelFormat.title) }

  static func model(_ data: Data, path: String?) throws(LanguageModelError) -> LanguageModel {
    try BinaryModelReader([UInt8](data), path: path).read()
  }

  private init(_ data: [UInt8], path: String?) throws(LanguageModelError) {
    self.data = data
    self.path = path
    do throws(LanguageModelError) {
      layout = try data.withUnsafeBytes { bytes in
        Result { () throws(LanguageModelError) in try BinaryModelLayout(bytes) }
      }.get()
    } catch {
      throw Self.broken(error.reason, path)
    }
  }

  private static func broken(_ reason: String, _ path: String?) -> LanguageModelError {
    LanguageModelError(path: path, reason: "the binary language model is broken: \(reason).")
  }

  private func broken(_ reason: String) -> LanguageModelError { Self.broken(reason, path) }

  private func word(at offset: Int) -> UInt32 {
    data.withUnsafeBytes {
      UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }

  private func number(at offset: Int) -> Float {
    let value = Float(bitPattern: word(at: offset)) / BinaryModelFormat.scale
    // PocketSphinx's rounding turns the value for zero probability into -98.99999.
    return value.isNaN || value < NGramLevel.never + 0.01 ? NGramLevel.never : min(value, 99)
  }

  /// Up to 25 bits.
  private func bits(at offset: Int, from start: Int, count: Int) -> Int {
    Int(word(at: start + offset / 8) >> UInt32(offset % 8)) & ((1 << count) - 1)
  }

  private func read() throws(LanguageModelError) -> LanguageModel {
    guard counts.count <= LanguageModel.mostOrder else {
      throw broken(
        "it has n-grams of \(counts.count) words, and 1 to \(LanguageModel.mostOrder) are supported"
      )
    }
    var rows = [singleWords()]
    var nextOf = (0...counts[0]).map { Int(word(at: layout.single($0) + 8)) }
    for (index, level) in layout.levels.enumerated() {
      let read = try chains(level, length: index + 2, begins: nextOf, shorter: rows[index])
      rows.append(read.rows)
      nextOf = read.next
    }
    var content = NGramRows(words: texts(), rows: rows)
    guard content.sort() == nil else { throw broken("an n-gram occurs twice") }
    return content.model()
  }

  private func singleWords() -> [NGramRows.Row] {
    (0..<counts[0]).map { index in
      let place = layout.single(index)
      return NGramRows.Row(
        key: NGramKey(index), logProbability: min(number(at: place), 0),
        backOff: number(at: place + 4))
    }
  }

  /// Reads the n-grams of one length.
  ///
  /// - Parameters:
  ///   - begins: the first n-gram for each ending of one word less, and the end.
  ///   - shorter: the n-grams of one word less, in the order of the file.
  private func chains(
    _ level: BinaryModelLayout.Level, length: Int, begins: [Int], shorter: [NGramRows.Row]
  ) throws(LanguageModelError) -> (rows: [NGramRows.Row], next: [Int]) {
    let packing = level.packing
    let start = level.position
    var rows: [NGramRows.Row] = []
    rows.reserveCapacity(packing.count)
    var next: [Int] = []
    for (parent, ending) in shorter.enumerated() {
      guard begins[parent] == rows.count, begins[parent + 1] >= rows.count,
        begins[parent + 1] <= packing.count
      else { throw broken("its n-grams of \(length) words do not fit together") }
      for place in begins[parent]..<begins[parent + 1] {
        var offset = place * packing.totalBits
        let word = bits(at: offset, from: start, count: packing.wordBits)
        guard word < counts[0] else { throw broken("an n-gram has an unknown word") }
        offset += packing.wordBits
        let key = NGramKey(word) << NGramKey(32 * (length - 1)) | ending.key
        var row = NGramRows.Row(key: key, logProbability: 0, backOff: 0)
        if let nextBits = packing.nextBits, let backOffs = level.backOffs {
          row.backOff = bin(bits(at: offset, from: start, count: 16), backOffs)
          next.append(bits(at: offset + 32, from: start, count: nextBits))
          offset += 16
        }
        row.logProbability = min(
          bin(bits(at: offset, from: start, count: 16), level.probabilities), 0)
        rows.append(row)
      }
    }
    // PocketSphinx announces a few more n-grams than it writes.
    if let nextBits = packing.nextBits {
      let offset = rows.count * packing.totalBits + packing.wordBits + 32
      next.append(bits(at: offset, from: start, count: nextBits))
    }
    return (rows, next)
  }

  private func bin(_ index: Int, _ table: Int) -> Float { number(at: table + index * 4) }

  private func texts() -> [String] {
    data[layout.texts].dropLast().split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

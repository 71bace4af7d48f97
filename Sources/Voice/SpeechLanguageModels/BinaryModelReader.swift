import Foundation

/// Reads PocketSphinx's binary language models.
struct BinaryModelReader {
  private let data: [UInt8]
  private let path: String?
  private var place = BinaryModelFormat.title.count
  private var counts: [Int] = []

  static func isBinary(_ data: Data) -> Bool { data.starts(with: BinaryModelFormat.title) }

  static func model(_ data: Data, path: String?) throws(LanguageModelError) -> LanguageModel {
    var reader = BinaryModelReader(data: [UInt8](data), path: path)
    return try reader.read()
  }

  private func broken(_ reason: String) -> LanguageModelError {
    LanguageModelError(path: path, reason: "the binary language model is broken: \(reason).")
  }

  /// Skips a number of bytes, and returns the position of the first.
  private mutating func take(_ count: Int) throws(LanguageModelError) -> Int {
    guard count >= 0, data.count - place >= count else { throw broken("it ends too early") }
    defer { place += count }
    return place
  }

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

  private mutating func read() throws(LanguageModelError) -> LanguageModel {
    let order = Int(data[try take(1)])
    guard (1...LanguageModel.mostOrder).contains(order) else {
      throw broken(
        "it has n-grams of \(order) words, and 1 to \(LanguageModel.mostOrder) are supported")
    }
    for _ in 0..<order { counts.append(Int(word(at: try take(4)))) }
    guard counts.allSatisfy({ $0 < BinaryModelFormat.mostChains }), counts[0] > 0 else {
      throw broken("nothing has \(counts.max() ?? 0) n-grams")
    }
    // A marker, which is always 0, and the tables.
    if order > 1 { _ = try take(4) }
    let tables = try take(
      BinaryModelFormat.tableCount(order: order) * BinaryModelFormat.binCount * 4)
    let singles = try take((counts[0] + 1) * 12)
    var rows = [singleWords(at: singles)]
    let packings = BinaryModelFormat.packings(counts)
    var nextOf = (0...counts[0]).map { Int(word(at: singles + $0 * 12 + 8)) }
    for (index, packing) in packings.enumerated() {
      let start = try take(packing.byteCount)
      let table = tables + index * 2 * BinaryModelFormat.binCount * 4
      let level = try chains(
        packing, length: index + 2, at: start, table: table, begins: nextOf, shorter: rows[index])
      rows.append(level.rows)
      nextOf = level.next
    }
    var content = NGramRows(words: try texts(), rows: rows)
    guard content.sort() == nil else { throw broken("an n-gram occurs twice") }
    return content.model()
  }

  private func singleWords(at start: Int) -> [NGramRows.Row] {
    (0..<counts[0]).map { index in
      NGramRows.Row(
        key: NGramKey(index), logProbability: min(number(at: start + index * 12), 0),
        backOff: number(at: start + index * 12 + 4))
    }
  }

  /// Reads the n-grams of one length.
  ///
  /// - Parameters:
  ///   - begins: the first n-gram for each ending of one word less, and the end.
  ///   - shorter: the n-grams of one word less, in the order of the file.
  private func chains(
    _ packing: BinaryModelFormat.Packing, length: Int, at start: Int, table: Int, begins: [Int],
    shorter: [NGramRows.Row]
  ) throws(LanguageModelError) -> (rows: [NGramRows.Row], next: [Int]) {
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
        if let nextBits = packing.nextBits {
          row.backOff = bin(
            bits(at: offset, from: start, count: 16), table + 4 * BinaryModelFormat.binCount)
          row.logProbability = min(bin(bits(at: offset + 16, from: start, count: 16), table), 0)
          next.append(bits(at: offset + 32, from: start, count: nextBits))
        } else {
          row.logProbability = min(bin(bits(at: offset, from: start, count: 16), table), 0)
        }
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

  private mutating func texts() throws(LanguageModelError) -> [String] {
    let length = Int(word(at: try take(4)))
    let start = try take(length)
    let parts = data[start..<start + length].split(separator: 0, omittingEmptySubsequences: false)
    guard parts.count == counts[0] + 1, parts.last?.isEmpty == true else {
      throw broken("it has other words than it promises")
    }
    return parts.dropLast().map { String(decoding: $0, as: UTF8.self) }
  }
}

import Foundation

/// Writes a model in PocketSphinx's binary form. Debian's version of PocketSphinx could write it as
/// well, but loses bits of back-offs and merges values that differ little.
struct BinaryModelWriter {
  let model: LanguageModel

  func write(to url: URL) throws(LanguageModelError) {
    do throws(LanguageModelError) {
      try check()
    } catch {
      throw LanguageModelError(path: url.path, reason: error.reason)
    }
    let output = try LanguageModelOutput(url)
    try write { (data) throws(LanguageModelError) in try output.write(data) }
    try output.finish()
  }

  /// The whole file.
  func data() throws(LanguageModelError) -> Data {
    try check()
    var all = Data()
    try write { (data) throws(LanguageModelError) in all += data }
    return all
  }

  private func check() throws(LanguageModelError) {
    let counts = model.counts
    guard counts.allSatisfy({ $0 + 1 < BinaryModelFormat.mostChains }),
      BinaryModelFormat.packings(counts).allSatisfy({
        ($0.count + 1) * $0.totalBits < BinaryModelFormat.mostBits
      })
    else {
      throw LanguageModelError(
        reason:
          "the binary form has room for \(BinaryModelFormat.mostChains) n-grams of a length, and "
          + "there are \(counts.max() ?? 0). Drop those that occur once, or write an ARPA file.")
    }
  }

  private func write(
    to output: (Data) throws(LanguageModelError) -> Void
  ) throws(LanguageModelError) {
    let counts = model.counts
    var head = Data(BinaryModelFormat.title) + [UInt8(counts.count)]
    for count in counts { head.appendNumber(UInt32(count)) }
    let tables = model.levels.dropFirst().map { level in
      (QuantizationTable(level.logProbabilities), QuantizationTable(level.backOffs))
    }
    if counts.count > 1 { head.appendNumber(UInt32(0)) }
    for (index, table) in tables.enumerated() {
      head.appendBins(of: table.0)
      if index + 1 < tables.count { head.appendBins(of: table.1) }
    }
    try output(head)
    try writeChains(to: output, BinaryModelFormat.packings(counts), tables)
    var texts = Data()
    for word in model.words {
      texts.append(contentsOf: word.utf8)
      texts.append(UInt8(0))
    }
    var tail = Data()
    tail.appendNumber(UInt32(texts.count))
    try output(tail + texts)
  }

  private func writeChains(
    to output: (Data) throws(LanguageModelError) -> Void,
    _ packings: [BinaryModelFormat.Packing],
    _ tables: [(QuantizationTable, QuantizationTable)]
  ) throws(LanguageModelError) {
    // The rank of each n-gram in the order of the file, which goes from the last word to the
    // first.
    var ranks = (0..<model.counts[0]).map { UInt32($0) }
    var order = Array(0..<model.counts[0])
    var blocks: [[UInt8]] = []
    var begins: [[Int]] = []
    for index in model.levels.indices.dropFirst() {
      let level = model.levels[index]
      let shorter = model.levels[index - 1]
      let sorted = level.keys.enumerated().map { place, key in
        let ending = shorter.place(of: key.suffix(of: index + 1)).map { ranks[$0] } ?? 0
        return (key: UInt64(ending) << 32 | UInt64(key.firstWord(of: index + 1)), place: place)
      }
      .sorted { $0.key < $1.key }
      ranks = [UInt32](repeating: 0, count: sorted.count)
      for (rank, chain) in sorted.enumerated() { ranks[chain.place] = UInt32(rank) }
      // The first n-gram that ends with each of the shorter ones.
      var firsts = [Int](repeating: sorted.count, count: shorter.keys.count + 1)
      for (rank, chain) in sorted.enumerated().reversed() { firsts[Int(chain.key >> 32)] = rank }
      for place in firsts.indices.dropLast().reversed() {
        firsts[place] = min(firsts[place], firsts[place + 1])
      }
      begins.append(firsts)
      order = sorted.map(\.place)
      blocks.append(
        block(packings[index - 1], level, order, index + 1, tables[index - 1]))
    }
    // The successors of an n-gram are known once the longer n-grams have been sorted.
    for index in blocks.indices.dropLast() {
      let packing = packings[index]
      for (place, first) in begins[index + 1].enumerated() {
        let offset = place * packing.totalBits + packing.wordBits + packing.quantizedBits
        blocks[index].set(first, at: offset)
      }
    }
    try output(singleWords(begins.first))
    for block in blocks { try output(Data(block)) }
  }

  private func singleWords(_ begins: [Int]?) -> Data {
    let level = model.levels[0]
    var data = Data()
    for place in 0...level.keys.count {
      let isWord = place < level.keys.count
      let log = isWord ? level.logProbabilities[place] : 0
      let backOff = isWord ? level.backOffs[place] : 0
      data.appendNumber((log * BinaryModelFormat.scale).bitPattern)
      data.appendNumber((backOff * BinaryModelFormat.scale).bitPattern)
      data.appendNumber(UInt32(begins?[place] ?? 0))
    }
    return data
  }

  private func block(
    _ packing: BinaryModelFormat.Packing, _ level: NGramLevel, _ order: [Int], _ length: Int,
    _ tables: (QuantizationTable, QuantizationTable)
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: packing.byteCount)
    for (rank, place) in order.enumerated() {
      var offset = rank * packing.totalBits
      bytes.set(Int(level.keys[place].firstWord(of: length)), at: offset)
      offset += packing.wordBits
      if packing.nextBits != nil {
        bytes.set(tables.1.bin(of: level.backOffs[place]), at: offset)
        offset += 16
      }
      bytes.set(tables.0.bin(of: level.logProbabilities[place]), at: offset)
    }
    return bytes
  }
}

/// The values that 16-bit numbers stand for.
private struct QuantizationTable {
  /// The values in ascending order.
  private var centers: [Float]

  init(_ values: [Float]) {
    var different: [Float] = []
    let sorted = values.sorted()
    for value in sorted where different.last != value { different.append(value) }
    let room = BinaryModelFormat.binCount
    if different.count > room {
      // The same number of values in each bin, so that frequent values are the most precise.
      different = (0..<room).map { bin in
        let part = sorted[(bin * sorted.count / room)..<((bin + 1) * sorted.count / room)]
        return part.reduce(0, +) / Float(part.count)
      }
    }
    centers = different
  }

  func bin(of value: Float) -> Int {
    var low = 0
    var high = centers.count
    while low < high {
      let middle = (low + high) / 2
      if centers[middle] < value { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    guard low < centers.count else { return centers.count - 1 }
    return value - centers[low - 1] < centers[low] - value ? low - 1 : low
  }

  var bins: [Float] {
    centers + Array(repeating: centers.last ?? 0, count: BinaryModelFormat.binCount - centers.count)
  }
}

extension Data {
  mutating func appendNumber(_ value: UInt32) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func appendBins(of table: QuantizationTable) {
    for value in table.bins { appendNumber((value * BinaryModelFormat.scale).bitPattern) }
  }
}

extension [UInt8] {
  /// Writes up to 25 bits over zero bits.
  fileprivate mutating func set(_ value: Int, at offset: Int) {
    var rest = value << (offset % 8)
    var place = offset / 8
    while rest != 0 {
      self[place] |= UInt8(truncatingIfNeeded: rest)
      rest >>= 8
      place += 1
    }
  }
}

/// The positions of the parts of a binary language model, which its beginning determines.
package struct BinaryModelLayout: Sendable {
  /// The n-grams of one length, packed into bits.
  package struct Level: Sendable {
    package let position: Int
    package let packing: BinaryModelFormat.Packing
    /// The tables that the n-grams refer to; the longest n-grams have no back-offs.
    package let probabilities: Int
    package let backOffs: Int?
  }

  /// The numbers of n-grams of each length, beginning with single words.
  package let counts: [Int]
  /// The position of the single words: a probability, a back-off, and the first longer n-gram of
  /// each, with one more entry than there are words.
  package let singles: Int
  /// The n-grams of two and more words.
  package let levels: [Level]
  /// The positions of the texts of the words, each with a zero byte after it.
  package let texts: Range<Int>

  /// Reads the beginning of a model, and checks that the file has exactly the length that it
  /// promises.
  ///
  /// - Throws: `LanguageModelError` with the reason, without a full stop.
  package init(_ bytes: UnsafeRawBufferPointer) throws(LanguageModelError) {
    var place = BinaryModelFormat.title.count
    func take(_ count: Int) throws(LanguageModelError) -> Int {
      guard count >= 0, bytes.count - place >= count else {
        throw LanguageModelError(reason: "it ends too early")
      }
      defer { place += count }
      return place
    }
    func number() throws(LanguageModelError) -> Int {
      let start = try take(4)
      return Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
    }
    let order = Int(bytes[try take(1)])
    guard (1...BinaryModelFormat.mostOrder).contains(order) else {
      throw LanguageModelError(
        reason:
          "it has n-grams of \(order) words, and 1 to \(BinaryModelFormat.mostOrder) are possible")
    }
    var counts: [Int] = []
    for _ in 0..<order { counts.append(try number()) }
    let packings = BinaryModelFormat.packings(counts)
    guard counts[0] > 0, counts.allSatisfy({ $0 + 1 < BinaryModelFormat.mostChains }),
      packings.allSatisfy({ ($0.count + 1) * $0.totalBits < BinaryModelFormat.mostBits })
    else {
      throw LanguageModelError(reason: "no model has \(counts.max() ?? 0) n-grams of a length")
    }
    // A marker, which is not used, and the tables.
    if order > 1 { _ = try take(4) }
    let table = BinaryModelFormat.binCount * 4
    let tables = try take(BinaryModelFormat.tableCount(order: order) * table)
    singles = try take((counts[0] + 1) * BinaryModelFormat.singleSize)
    var levels: [Level] = []
    for (index, packing) in packings.enumerated() {
      let probabilities = tables + index * 2 * table
      levels.append(
        Level(
          position: try take(packing.byteCount), packing: packing, probabilities: probabilities,
          backOffs: packing.nextBits == nil ? nil : probabilities + table))
    }
    let length = try number()
    let start = try take(length)
    guard place == bytes.count else {
      throw LanguageModelError(reason: "its length does not fit its numbers of n-grams")
    }
    let texts = start..<place
    guard bytes[texts].count(where: { $0 == 0 }) == counts[0], bytes[texts].last == 0 else {
      throw LanguageModelError(reason: "it has other words than it promises")
    }
    self.counts = counts
    self.levels = levels
    self.texts = texts
  }

  /// The position of a single word's entry.
  func single(_ index: Int) -> Int { singles + index * BinaryModelFormat.singleSize }
}

import Foundation

/// What PocketSphinx's binary language model is laid out like.
///
/// A title, the order, and the number of chains by length; tables of 65,536 likelihoods and back-offs for each
/// length but the first, which the chains refer to; the single words; the longer chains, packed into bits; the
/// words' texts. A chain's path leads from its last word to its first.
enum BinaryModelFormat {
  static let title = Array("Trie Language Model".utf8)
  static let binCount = 1 << 16
  /// Logarithms are to the base of the library's own.
  static let scale = Float(M_LN10 / log(1.0001))
  /// What the library's bit packing reaches.
  static let mostChains = 1 << 25
  static let mostBits = 1 << 32

  static func bits(for value: Int) -> Int { Int.bitWidth - value.leadingZeroBitCount }

  /// Where the parts of the chains of one length are, in bits from the beginning of each.
  struct Packing {
    let wordBits: Int
    /// None for the longest chains, which no other begins with.
    let nextBits: Int?
    let count: Int

    init(words: Int, count: Int, next: Int?) {
      wordBits = bits(for: words)
      nextBits = next.map { bits(for: $0) }
      self.count = count
    }

    var quantizedBits: Int { nextBits == nil ? 16 : 32 }
    var totalBits: Int { wordBits + quantizedBits + (nextBits ?? 0) }
    /// One more entry than there are chains, and room to read beyond the last one.
    var byteCount: Int { ((1 + count) * totalBits + 7) / 8 + 8 }
  }

  static func packings(_ counts: [Int]) -> [Packing] {
    counts.indices.dropFirst().map { index in
      Packing(
        words: counts[0], count: counts[index],
        next: index + 1 < counts.count ? counts[index + 1] : nil)
    }
  }

  /// The number of bins before the chains: two tables for each length in the middle, one for the longest.
  static func tableCount(order: Int) -> Int { order > 1 ? (order - 2) * 2 + 1 : 0 }
}

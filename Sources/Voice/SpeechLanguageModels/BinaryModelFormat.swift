import Foundation

/// The layout of PocketSphinx's binary language models.
///
/// A title, the order, and the number of n-grams by length; tables of 65,536 probabilities and
/// back-offs for each length but the first, which the n-grams refer to; the unigrams; the longer
/// n-grams, packed into bits; the text of the words. The path of an n-gram leads from its last word
/// to its first.
package enum BinaryModelFormat {
  package static let title = Array("Trie Language Model".utf8)
  static let binCount = 1 << 16
  /// The length of a single word's entry.
  static let singleSize = 12
  /// The limit of PocketSphinx, which keeps the counts in an array of this length.
  static let mostOrder = 5
  /// Logarithms are to PocketSphinx's own base.
  package static let scale = Float(M_LN10 / log(1.0001))
  /// The limit of PocketSphinx's bit packing.
  static let mostChains = 1 << 25
  static let mostBits = 1 << 32

  static func bits(for value: Int) -> Int { Int.bitWidth - value.leadingZeroBitCount }

  /// The positions of the fields of n-grams of one length, in bits.
  package struct Packing: Sendable {
    package let wordBits: Int
    /// `nil` for the longest n-grams, which no other begins with.
    package let nextBits: Int?
    package let count: Int

    init(words: Int, count: Int, next: Int?) {
      wordBits = bits(for: words)
      nextBits = next.map { bits(for: $0) }
      self.count = count
    }

    var quantizedBits: Int { nextBits == nil ? 16 : 32 }
    var totalBits: Int { wordBits + quantizedBits + (nextBits ?? 0) }
    /// One more entry than there are n-grams, and room to read past the last one.
    var byteCount: Int { ((1 + count) * totalBits + 7) / 8 + 8 }
  }

  static func packings(_ counts: [Int]) -> [Packing] {
    counts.indices.dropFirst().map { index in
      Packing(
        words: counts[0], count: counts[index],
        next: index + 1 < counts.count ? counts[index + 1] : nil)
    }
  }

  /// The number of tables before the n-grams: two for each length in the middle, one for the
  /// longest.
  static func tableCount(order: Int) -> Int { order > 1 ? (order - 2) * 2 + 1 : 0 }
}

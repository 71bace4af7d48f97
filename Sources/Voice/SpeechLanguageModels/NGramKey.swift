/// The words of a chain, 32 bits each, the first one highest: so that chains sort by their words, and all that
/// begin alike lie together.
typealias NGramKey = UInt128

extension NGramKey {
  /// The key of a chain with a word behind it.
  @inline(__always)
  func followed(by word: UInt32) -> NGramKey { self << 32 | NGramKey(word) }

  /// The chain without its last word.
  @inline(__always)
  var prefix: NGramKey { self >> 32 }

  /// The chain of that length without its first word.
  @inline(__always)
  func suffix(of length: Int) -> NGramKey { self & ((1 << NGramKey(32 * (length - 1))) - 1) }

  @inline(__always)
  var lastWord: UInt32 { UInt32(truncatingIfNeeded: self) }

  @inline(__always)
  func firstWord(of length: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: self >> NGramKey(32 * (length - 1)))
  }

  /// The words of a chain of that length.
  func words(_ length: Int) -> [UInt32] {
    (0..<length).map { UInt32(truncatingIfNeeded: self >> NGramKey(32 * (length - 1 - $0))) }
  }

  /// The chain with other numbers for its words.
  func mapped(_ length: Int, _ map: [UInt32]) -> NGramKey {
    words(length).reduce(0) { $0.followed(by: map[Int($1)]) }
  }
}

extension [NGramKey] {
  /// Where the key is, if it is among these, which are sorted.
  func place(of key: NGramKey) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == key ? low : nil
  }
}

/// The words that every model has numbers for.
enum ReservedWord {
  static let unknown: UInt32 = 0
  static let start: UInt32 = 1
  static let end: UInt32 = 2
  static let all = ["<unk>", "<s>", "</s>"]
}

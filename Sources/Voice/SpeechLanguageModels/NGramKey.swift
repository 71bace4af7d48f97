/// The words of an n-gram, 32 bits each, the first one highest, so that n-grams are ordered by
/// their words and those with the same beginning are neighbours.
typealias NGramKey = UInt128

extension NGramKey {
  /// The key of an n-gram with another word after it.
  @inline(__always)
  func followed(by word: UInt32) -> NGramKey { self << 32 | NGramKey(word) }

  /// The n-gram without its last word.
  @inline(__always)
  var prefix: NGramKey { self >> 32 }

  /// The n-gram of a length without its first word.
  @inline(__always)
  func suffix(of length: Int) -> NGramKey { self & ((1 << NGramKey(32 * (length - 1))) - 1) }

  @inline(__always)
  var lastWord: UInt32 { UInt32(truncatingIfNeeded: self) }

  @inline(__always)
  func firstWord(of length: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: self >> NGramKey(32 * (length - 1)))
  }

  func words(_ length: Int) -> [UInt32] {
    (0..<length).map { UInt32(truncatingIfNeeded: self >> NGramKey(32 * (length - 1 - $0))) }
  }

  /// The n-gram with other numbers for its words.
  func mapped(_ length: Int, _ map: [UInt32]) -> NGramKey {
    words(length).reduce(0) { $0.followed(by: map[Int($1)]) }
  }
}

extension [NGramKey] {
  /// The index of a key in this ascending list; `nil` if it is not in it.
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

/// The words with the same number in every model.
enum ReservedWord {
  static let unknown: UInt32 = 0
  static let start: UInt32 = 1
  static let end: UInt32 = 2
  static let all = ["<unk>", "<s>", "</s>"]
}

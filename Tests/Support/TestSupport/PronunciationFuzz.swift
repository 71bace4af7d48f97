import Foundation

/// Hostile words and dictionary files, the same in every run.
public struct PronunciationFuzz {
  private var random: SplitMix

  /// A generator whose words and files depend on the seed alone.
  public init(seed: UInt64) { random = SplitMix(seed: seed) }

  private static let pieces = [
    "a", "e", "s", "'", "'s", "-", ".", ",", "0", "1", "9", "12", "1984", "B", "USB", "Mc", "st",
    "th", "km", "$", "%", "&", "é", "ß", "ł", "’", "日", "\u{301}", "\u{0}", "\u{7}", "😀", "_", "@",
    "(", ")", "#", ";", "xyz", "Hub", " ", "\t", "°", "½", "ﬁ", "٣", "x", "s",
  ]

  /// The next word.
  public mutating func word() -> String {
    (0..<random.next(9)).map { _ in Self.pieces[random.next(Self.pieces.count)] }.joined()
  }

  private static let lines = [
    "hello HH AH L OW", "hello(2) HH EH L OW", ";;; said so", "", "word", "  x  Y ", "a\tEY",
    "read R IY D # now", "## x", "(2) A", "a(b) A", "é EY", "one W AH N\r",
  ]

  /// The text of a dictionary, mostly right.
  public mutating func file() -> Data {
    var bytes: [UInt8] = []
    for _ in 0..<random.next(8) {
      let line = random.next(5) == 0 ? word() : Self.lines[random.next(Self.lines.count)]
      bytes += Array(line.utf8) + [10]
    }
    for _ in 0..<random.next(3) where !bytes.isEmpty {
      bytes[random.next(bytes.count)] = UInt8(random.next(256))
    }
    return Data(bytes.prefix(random.next(4) == 0 ? random.next(bytes.count + 1) : bytes.count))
  }
}

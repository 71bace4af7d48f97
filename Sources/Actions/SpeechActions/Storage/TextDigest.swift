/// A short name for a text, the same for the same text. It tells states of a file apart and keeps nothing
/// secret.
enum TextDigest {
  static func name(of text: String) -> String {
    // The hash of Fowler, Noll and Vo with two beginnings, so that chance does not meet.
    [0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15 as UInt64].map { seed in
      let hash = text.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

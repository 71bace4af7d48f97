/// A checksum of 64 bits that distinguishes files. It is fast, and no protection against forgery.
struct FileDigest {
  private(set) var count = 0
  private var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Adds bytes. All calls but the last need a multiple of 8 bytes for the same result as one call.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var value = value
    let whole = bytes.count & ~7
    var index = 0
    while index < whole {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      value = (value ^ UInt64(littleEndian: word)) &* 0x9E37_79B9_7F4A_7C15
      value ^= value >> 29
      index += 8
    }
    for byte in bytes[whole...] { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    self.value = value
    count += bytes.count
  }

  /// The digest in hexadecimal digits.
  var text: String { String(value, radix: 16) }
}

import Foundation

/// Finds secrets in any text: verbatim, in base64 at any offset, with the escapes of URLs and JSON,
/// and in parts.
package struct SecretMask {
  /// The number of consecutive bytes that counts as a part of a secret.
  private static let revealing = 8

  /// The parts by their length, each packed into a word, because bodies are large.
  private var pieces: [Int: Set<UInt64>] = [:]

  /// Creates a mask for the given secrets.
  package init(_ secrets: [SecureString]) {
    for secret in secrets {
      let plain = Array(
        secret.value.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
      add(plain)
      // In base64, a short secret has too few letters to be distinguished from other words.
      if plain.count >= Self.revealing - 2 { Self.base64(plain).forEach { add($0) } }
    }
  }

  /// True if there are no secrets.
  package var isEmpty: Bool { pieces.isEmpty }

  /// The ranges of parts of the secrets.
  package func ranges(in readings: [EscapedBytes]) -> [Range<Int>] {
    isEmpty ? [] : readings.flatMap { reading in find(in: reading.bytes).map(reading.original) }
  }

  /// The text with every part of a secret replaced by a mask.
  package func masked(_ text: String) -> String {
    guard !isEmpty else { return text }
    let bytes = Array(text.utf8)
    let ranges = Self.merged(ranges(in: EscapedBytes.readings(of: bytes)))
    guard !ranges.isEmpty else { return text }
    var result: [UInt8] = []
    var end = 0
    for range in ranges {
      result += bytes[end..<range.lowerBound]
      result += SecureString.mask.utf8
      end = range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  /// The ranges in order, with overlapping and adjacent ones merged.
  package static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, last.upperBound >= range.lowerBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  private mutating func add(_ secret: [UInt8]) {
    let width = min(Self.revealing, secret.count)
    guard width > 0 else { return }
    for start in 0...secret.count - width {
      let word = secret[start..<start + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      pieces[width, default: []].insert(word)
    }
  }

  private func find(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for (width, words) in pieces where width <= bytes.count {
      let all: UInt64 = width == 8 ? .max : (1 << UInt64(width * 8)) - 1
      var word: UInt64 = 0
      bytes.withUnsafeBufferPointer { bytes in
        for index in 0..<bytes.count {
          word = (word << 8 | UInt64(bytes[index])) & all
          guard index >= width - 1, words.contains(word) else { continue }
          found.append(Self.wholeCharacters(index + 1 - width..<index + 1, bytes))
        }
      }
    }
    return Self.merged(found)
  }

  /// The range, extended to whole characters.
  private static func wholeCharacters(
    _ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Range<Int> {
    func isContinuation(_ index: Int) -> Bool { bytes[index] & 0xC0 == 0x80 }
    guard isContinuation(range.lowerBound) || bytes[range.upperBound - 1] >= 0x80 else {
      return range
    }
    var (start, end) = (range.lowerBound, range.upperBound)
    while start > max(0, range.lowerBound - 3), isContinuation(start) { start -= 1 }
    while end < min(bytes.count, range.upperBound + 3), isContinuation(end) { end += 1 }
    return start..<end
  }

  /// The base64 forms of the secret after zero, one and two other bytes, in both alphabets.
  private static func base64(_ secret: [UInt8]) -> [[UInt8]] {
    [(before: 0, mixed: 0), (1, 2), (2, 3)].flatMap { before, mixed in
      let text = (Data(count: before) + secret).base64EncodedString().dropFirst(mixed)
      let safe = text.replacing("+", with: "-").replacing("/", with: "_")
      return [Array(text.utf8), Array(safe.utf8)]
    }
  }
}

import Foundation

/// Hostile input: documents with small errors, and noise. The same in every run.
public struct HostileBytes: Sendable {
  private let documents: [[UInt8]]
  private let snippets: [[UInt8]]
  private var random: SplitMix

  /// Creates bytes from documents.
  ///
  /// - Parameter snippets: Texts that are inserted occasionally.
  public init(_ documents: [String], snippets: [String] = [], seed: UInt64) {
    self.documents = documents.map { Array($0.utf8) }
    self.snippets = snippets.map { Array($0.utf8) }
    random = SplitMix(seed: seed)
  }

  /// Creates bytes from binary documents.
  public init(_ documents: [[UInt8]], seed: UInt64) {
    self.documents = documents
    snippets = [
      [0, 0, 0, 0], [255, 255, 255, 255], [255, 255, 255, 127], [0, 0, 128, 127], [1],
    ]
    random = SplitMix(seed: seed)
  }

  /// JSON with small errors.
  public static func json(_ documents: [String], seed: UInt64) -> HostileBytes {
    HostileBytes(
      documents,
      snippets: [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "-1", "1e999", "0.5",
        "9223372036854775808", "\"\"", "\\u0000", "\\ud800", "\u{0}", "🙂", "[[[[[[[[",
      ], seed: seed)
  }

  /// The next input: noise in one of eight cases, otherwise a document with one to four changes.
  public mutating func next() -> [UInt8] {
    guard random.next(8) > 0 else { return noise(random.next(80)) }
    var bytes = documents[random.next(documents.count)]
    for _ in 0...random.next(4) {
      let place = random.next(bytes.count + 1)
      let end = min(bytes.count, place + random.next(12))
      switch random.next(7) {
      case 0 where !snippets.isEmpty:
        bytes.insert(contentsOf: snippets[random.next(snippets.count)], at: place)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: random.next(bytes.count + 1))
      case 3: bytes.insert(contentsOf: noise(random.next(4)), at: place)
      case 4: bytes.removeSubrange(min(bytes.count, place + random.next(bytes.count + 1))...)
      case 5 where documents.count > 1:
        bytes.append(contentsOf: documents[random.next(documents.count)].dropFirst(place))
      default:
        if place < bytes.count { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
      }
    }
    return bytes
  }

  /// Cuts the bytes at random positions.
  public mutating func cut(_ bytes: [UInt8], atMost length: Int = 24) -> [Data] {
    var pieces: [Data] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + random.next(length))
      pieces.append(Data(bytes[start..<end]))
      start = end
    }
    return pieces
  }

  /// A random number from 0 up to but not including the bound.
  public mutating func next(_ bound: Int) -> Int { random.next(bound) }

  private mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}

import Foundation
import SpeechAudio

/// Encodes values as lines of JSON. Equal values give equal bytes.
enum JSONLines {
  static func line(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func text(of values: [some Encodable]) throws -> String {
    try values.map { try line(of: $0) + "\n" }.joined()
  }
}

extension Duration {
  /// The duration in seconds, rounded to microseconds.
  package var inMicroseconds: Double { (inSeconds * 1e6).rounded() / 1e6 }

  /// Creates a duration from seconds, to the microsecond; `nil` if the number is no plausible
  /// duration.
  init?(microseconds seconds: Double) {
    // About thirty years. The comparison also fails for values that are not numbers.
    guard abs(seconds) < 1e9 else { return nil }
    self = .microseconds(Int64((seconds * 1e6).rounded()))
  }
}

import Foundation
import SpeechAudio

/// Values as lines of JSON: a value gives the same bytes whenever it is written.
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
  /// In seconds, to the microsecond.
  var inMicroseconds: Double { (inSeconds * 1e6).rounded() / 1e6 }

  /// So many seconds, to the microsecond; `nil` for what is no time that anything takes.
  init?(microseconds seconds: Double) {
    // Thirty years; the test fails for what is no number as well.
    guard abs(seconds) < 1e9 else { return nil }
    self = .microseconds(Int64((seconds * 1e6).rounded()))
  }
}

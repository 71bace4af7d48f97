import Foundation
import SpeechKit

extension ValueOption where Value == Duration {
  /// An option that is a length of time: `800ms`, `20s`, `2m`, `1h`.
  init(duration name: String, help: String) {
    self.init(name, value: "TIME", help: help) { text throws(UsageError) in
      for (unit, milliseconds) in [("ms", 1.0), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
      where text.hasSuffix(unit) {
        guard let number = Double(text.dropLast(unit.count)), number > 0, number < 1e9 else {
          continue
        }
        return .milliseconds(Int64((number * milliseconds).rounded()))
      }
      throw UsageError("--\(name) takes a time like 800ms, 20s, 2m or 1h, not “\(text)”")
    }
  }
}

extension ValueOption where Value == Int {
  init(_ name: String, value: String, in range: ClosedRange<Int>, help: String) {
    self.init(name, value: value, help: help) { text throws(UsageError) in
      guard let number = Int(text), range.contains(number) else {
        throw UsageError(
          "--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not “\(text)”"
        )
      }
      return number
    }
  }
}

/// A name with its value, as `NAME=VALUE` on the command line.
struct NamedValue: Sendable, Equatable {
  var name: String
  var value: String
}

extension ValueOption where Value == NamedValue {
  init(pair name: String, help: String) {
    self.init(name, value: "NAME=VALUE", help: help) { text throws(UsageError) in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw UsageError("--\(name) takes NAME=VALUE, not “\(text)”")
      }
      return NamedValue(name: String(parts[0]), value: String(parts[1]))
    }
  }
}

extension Duration {
  /// For a person: `840 ms`, `2.4 s`.
  var brief: String {
    let milliseconds = self / .milliseconds(1)
    return milliseconds < 1_000
      ? "\(Int(milliseconds.rounded())) ms" : String(format: "%.1f s", milliseconds / 1_000)
  }
}

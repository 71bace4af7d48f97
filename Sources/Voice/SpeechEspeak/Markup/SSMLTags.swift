import Foundation

/// Generates the tags for the library, from validated values.
enum SSMLTags {
  /// The tag with its valid attributes; `nil` if none is valid.
  static func tag(_ name: String, _ attributes: [String: String]) -> String? {
    var written: [String] = []
    if name == "emphasis" {
      let level = attributes["level"] ?? "moderate"
      guard ["strong", "moderate", "none", "reduced"].contains(level) else { return nil }
      written = ["level=\"\(level)\""]
    } else {
      let readers: [(String, (String) -> String?)] = [
        ("rate", rate), ("volume", volume), ("pitch", pitch), ("range", pitch),
      ]
      for (key, read) in readers {
        if let value = attributes[key], let understood = read(value.lowercased()) {
          written.append("\(key)=\"\(understood)\"")
        }
      }
    }
    return written.isEmpty ? nil : "<\(name) \(written.joined(separator: " "))>"
  }

  /// Converts `1.5s`, `500ms` and `2` (seconds) into milliseconds.
  static func milliseconds(_ time: String) -> Int? {
    let time = time.trimmingCharacters(in: .whitespaces).lowercased()
    let number: Double?
    if time.hasSuffix("ms") {
      number = Double(time.dropLast(2))
    } else if time.hasSuffix("s") {
      number = Double(time.dropLast()).map { $0 * 1000 }
    } else {
      number = Double(time).map { $0 * 1000 }
    }
    guard let number, number.isFinite, number >= 0 else { return nil }
    return Int(min(number, 1e7).rounded())
  }

  private static func rate(_ value: String) -> String? {
    if ["x-slow", "slow", "medium", "default", "fast", "x-fast"].contains(value) { return value }
    if value.hasSuffix("%"), let number = number(value.dropLast()) {
      let share = value.hasPrefix("+") || value.hasPrefix("-") ? 100 + number : number
      return "\(Int(min(max(share, 25), 300)))%"
    }
    return number(value[...]).map { "\(Int(min(max($0, 0.25), 3) * 100))%" }
  }

  private static func volume(_ value: String) -> String? {
    if ["silent", "x-soft", "soft", "medium", "default", "loud", "x-loud"].contains(value) {
      return value
    }
    if value.hasSuffix("db"), let number = number(value.dropLast(2)) {
      let decibels = Int(min(max(number, -40), 10).rounded())
      return (decibels < 0 ? "" : "+") + "\(decibels)dB"
    }
    return number(value[...]).map { "\(Int(min(max($0, 0), 100)))" }
  }

  private static func pitch(_ value: String) -> String? {
    if ["x-low", "low", "medium", "default", "high", "x-high"].contains(value) { return value }
    var percent: Double?
    if value.hasSuffix("%") {
      percent = number(value.dropLast())
    } else if value.hasSuffix("st") {
      percent = number(value.dropLast(2)).map { (pow(2, min(max($0, -24), 24) / 12) - 1) * 100 }
    } else {
      return number(value[...]).map { "\(Int(min(max($0, 0), 99)))" }
    }
    guard let percent else { return nil }
    let whole = Int(min(max(percent, -90), 100).rounded())
    return (whole < 0 ? "" : "+") + "\(whole)%"
  }

  private static func number(_ text: Substring) -> Double? {
    guard text.utf8.count <= 12, let number = Double(text), number.isFinite else { return nil }
    return number
  }
}

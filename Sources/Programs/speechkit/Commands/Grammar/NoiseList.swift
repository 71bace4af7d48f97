import SpeechCommand
import SpeechTesting

/// A list of noises as it is typed: `clean,pink:20,babble:10`.
enum NoiseList {
  static func parse(_ text: String) throws(UsageError) -> [NoiseLevel] {
    var levels: [NoiseLevel] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      let level = try level(item)
      guard !levels.contains(level) else {
        throw UsageError("--noise names “\(item)” twice")
      }
      levels.append(level)
    }
    return levels
  }

  private static func level(_ item: Substring) throws(UsageError) -> NoiseLevel {
    if item == "clean" { return .clean }
    let parts = item.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let noise = Noise(rawValue: String(parts[0])),
      let decibels = Double(parts[1]), (-20...60).contains(decibels)
    else {
      throw UsageError(
        "--noise takes a list such as clean,pink:20,babble:10 (white, pink, hum and babble, -20 to "
          + "60 dB), not “\(item)”")
    }
    return NoiseLevel(noise, decibels: decibels)
  }
}

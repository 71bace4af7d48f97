import Foundation
import SpeechLab
import TestSupport

/// Measurements by sox, which is independent of this toolkit.
enum Sox {
  struct Failure: Error { var text: String }

  /// The values of `stats` by name, for a part of the audio after the effects.
  static func stats(
    _ sound: PCMBuffer, from start: Double = 0, for length: Double? = nil, effects: [String] = []
  ) async throws -> [String: Double] {
    let file = FileManager.default.temporaryDirectory.appending(path: "sox-\(UUID()).wav")
    defer { try? FileManager.default.removeItem(at: file) }
    try AudioFile.write(sound, to: file)
    let trim = ["trim", "\(start)"] + (length.map { ["\($0)"] } ?? [])
    let sox = try await FinishedProgram(
      running: "/usr/bin/sox", [file.path, "-n"] + effects + trim + ["stats"])
    let text = sox.errorText
    guard sox.status == 0 else { throw Failure(text: text) }
    var values: [String: Double] = [:]
    for line in text.split(separator: "\n") {
      guard let number = line.split(separator: " ").last.flatMap({ Double($0) }) else { continue }
      let name = line.split(separator: " ").dropLast().joined(separator: " ")
      values[name] = number
    }
    return values
  }

  /// The root mean square in decibels below full scale.
  static func level(
    _ sound: PCMBuffer, from start: Double = 0, for length: Double? = nil, effects: [String] = []
  ) async throws -> Double {
    let values = try await stats(sound, from: start, for: length, effects: effects)
    guard let level = values["RMS lev dB"] else { throw Failure(text: "\(values)") }
    return level
  }
}

import Foundation
import SpeechKit

/// A sound file that both sides read: 16 kHz, mono, 16 bit, with a header of 44 bytes.
struct Recording: Sendable {
  /// The file's name without its extension; the peer calls it so, too.
  var name: String
  var url: URL
  var seconds: Double
  /// What is said; `nil` if that is not known.
  var transcript: String?
}

extension Recording {
  /// Writes the sound into the folder under that name.
  init(_ sound: PCMBuffer, named name: String, in folder: URL, transcript: String? = nil) throws {
    let url = folder.appendingPathComponent("\(name).wav")
    try AudioFile.write(try sound.resampled(to: .recognition), to: url)
    self.init(
      name: name, url: url, seconds: sound.duration / .seconds(1), transcript: transcript)
  }
}

extension [Recording] {
  var seconds: Double { reduce(0) { $0 + $1.seconds } }

  /// A file with their paths, a line each.
  func writeList(in folder: URL) throws -> URL {
    let list = folder.appendingPathComponent("list-\(UUID().uuidString)")
    try map(\.url.path).joined(separator: "\n").write(to: list, atomically: true, encoding: .utf8)
    return list
  }
}

import Foundation
import SpeechKit

/// An audio file that both sides can read: 16 kHz, mono, 16 bit, with a header of 44 bytes.
struct Recording: Sendable {
  /// The name of the file without its extension, which the peer uses too.
  var name: String
  var url: URL
  var seconds: Double
  /// The transcript; `nil` if it is unknown.
  var transcript: String?
}

extension Recording {
  /// Writes audio to a file in a folder.
  init(_ sound: PCMBuffer, named name: String, in folder: URL, transcript: String? = nil) throws {
    let url = folder.appendingPathComponent("\(name).wav")
    try AudioFile.write(try sound.resampled(to: .recognition), to: url)
    self.init(
      name: name, url: url, seconds: sound.duration / .seconds(1), transcript: transcript)
  }
}

extension [Recording] {
  var seconds: Double { reduce(0) { $0 + $1.seconds } }

  /// Writes their paths to a file, one in each line.
  func writeList(in folder: URL) throws -> URL {
    let list = folder.appendingPathComponent("list-\(UUID().uuidString)")
    try map(\.url.path).joined(separator: "\n").write(to: list, atomically: true, encoding: .utf8)
    return list
  }
}

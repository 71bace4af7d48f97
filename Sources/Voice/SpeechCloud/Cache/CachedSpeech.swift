import AIServices
import Foundation
import SpeechAudio

/// Cached speech: its audio and the times of its characters.
package struct CachedSpeech: Sendable, Hashable {
  package var audio: PCMBuffer
  /// The times of the characters, if the service reported them.
  package var timings: [CharacterTiming]

  package init(audio: PCMBuffer, timings: [CharacterTiming] = []) {
    self.audio = audio
    self.timings = timings
  }
}

extension CachedSpeech {
  /// The header before the samples.
  private struct Head: Codable {
    static let currentVersion = 2

    var version = Self.currentVersion
    var sampleRate: Int
    var characters: [String]
    var starts: [Double]
    var ends: [Double]
  }

  /// Encodes a line with the hash of the rest, a line of JSON, and the samples.
  func encoded() throws -> Data {
    let head = Head(
      sampleRate: audio.format.sampleRate, characters: timings.map(\.character),
      starts: timings.map(\.start), ends: timings.map(\.end))
    var content = try JSONEncoder().encode(head)
    content.append(UInt8(ascii: "\n"))
    content.reserveCapacity(content.count + audio.frameCount * 2)
    for sample in audio.samples {
      let bits = UInt16(bitPattern: sample)
      content.append(UInt8(truncatingIfNeeded: bits))
      content.append(UInt8(truncatingIfNeeded: bits >> 8))
    }
    return Data("\(Digest.sha256(content))\n".utf8) + content
  }

  /// Decodes an entry; `nil` if it is damaged or has another version.
  init?(encoded data: Data) {
    guard let (hash, content) = Self.split(data),
      Data(Digest.sha256(content).utf8) == hash, let (head, sound) = Self.split(content),
      let head = try? JSONDecoder().decode(Head.self, from: head),
      head.version == Head.currentVersion, (1_000...384_000).contains(head.sampleRate),
      head.characters.count == head.starts.count, head.starts.count == head.ends.count
    else { return nil }
    var samples = SampleReader()
    self.init(
      audio: PCMBuffer(
        samples: samples.samples(in: sound), format: AudioFormat(sampleRate: head.sampleRate)),
      timings: head.characters.indices.map {
        CharacterTiming(character: head.characters[$0], start: head.starts[$0], end: head.ends[$0])
      })
  }

  /// The first line, and the rest.
  private static func split(_ data: Data) -> (line: Data, rest: Data)? {
    guard let end = data.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return (data[..<end], data[data.index(after: end)...])
  }
}

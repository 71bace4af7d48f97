import AIServices
import Foundation
import SpeechAudio

extension CachedSpeech {
  /// What stands in front of the samples.
  private struct Head: Codable {
    var version = 1
    var sampleRate: Int
    var frames: Int
    var characters: [String]
    var starts: [Double]
    var ends: [Double]
  }

  /// A line of JSON, then the samples.
  func encoded() throws -> Data {
    let head = Head(
      sampleRate: audio.format.sampleRate, frames: audio.frameCount,
      characters: timings.map(\.character), starts: timings.map(\.start), ends: timings.map(\.end))
    var data = try JSONEncoder().encode(head)
    data.append(UInt8(ascii: "\n"))
    data.reserveCapacity(data.count + audio.frameCount * 2)
    for sample in audio.samples {
      let bits = UInt16(bitPattern: sample)
      data.append(UInt8(truncatingIfNeeded: bits))
      data.append(UInt8(truncatingIfNeeded: bits >> 8))
    }
    return data
  }

  /// - Returns: `nil` for what is not whole or of another version.
  init?(encoded data: Data) {
    guard let end = data.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDecoder().decode(Head.self, from: data[..<end]), head.version == 1,
      (1_000...384_000).contains(head.sampleRate),
      data.count - data.distance(from: data.startIndex, to: end) - 1 == head.frames * 2,
      head.characters.count == head.starts.count, head.starts.count == head.ends.count
    else { return nil }
    var samples = SampleReader()
    self.init(
      audio: PCMBuffer(
        samples: samples.samples(in: data[data.index(after: end)...]),
        format: AudioFormat(sampleRate: head.sampleRate)),
      timings: head.characters.indices.map {
        CharacterTiming(character: head.characters[$0], start: head.starts[$0], end: head.ends[$0])
      })
  }
}

import Foundation
import SpeechAudio

/// Converts the audio of an engine, in pieces of any length, to mono samples of 16 bit.
struct WyomingSamples {
  private let source: WyomingMessage.Audio
  /// The bytes of a frame whose rest has not arrived.
  private var carried = Data()

  let format: AudioFormat

  /// - Returns: `nil` for a format that no engine has.
  init?(_ source: WyomingMessage.Audio) {
    guard (4_000...192_000).contains(source.rate), (1...4).contains(source.width),
      (1...8).contains(source.channels)
    else { return nil }
    self.source = source
    format = AudioFormat(sampleRate: source.rate)
  }

  /// Returns true if audio of that format may follow.
  func continues(with other: WyomingMessage.Audio) -> Bool { source == other }

  mutating func samples(in bytes: Data) -> [Int16] {
    let size = source.width * source.channels
    let all = carried.isEmpty ? bytes : carried + bytes
    let count = all.count / size
    carried = Data(all.dropFirst(count * size))
    return all.withUnsafeBytes { bytes in
      (0..<count).map { frame in
        var sum = 0
        for channel in 0..<source.channels {
          sum += sample(in: bytes, at: frame * size + channel * source.width)
        }
        return Int16(sum / source.channels)
      }
    }
  }

  /// The upper 16 bits of a sample. Samples of one byte have no sign.
  private func sample(in bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    guard source.width > 1 else { return (Int(bytes[index]) - 128) << 8 }
    let high = index + source.width - 1
    return Int(Int16(bitPattern: UInt16(bytes[high]) << 8 | UInt16(bytes[high - 1])))
  }
}

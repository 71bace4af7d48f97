import Foundation
import SpeechAudio

/// Converts bytes that arrive in pieces of any length to samples.
struct SampleReader {
  private var carried: UInt8?

  mutating func samples(in bytes: Data) -> [Int16] {
    var samples: [Int16] = []
    samples.reserveCapacity((bytes.count + 1) / 2)
    var low = carried
    for byte in bytes {
      if let first = low {
        samples.append(Int16(bitPattern: UInt16(first) | UInt16(byte) << 8))
        low = nil
      } else {
        low = byte
      }
    }
    carried = low
    return samples
  }
}

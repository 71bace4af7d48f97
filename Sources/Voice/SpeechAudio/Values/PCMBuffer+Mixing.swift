import Foundation

extension PCMBuffer {
  /// Appends the samples of another buffer of the same format.
  public mutating func append(_ other: PCMBuffer) {
    precondition(other.format == format, "buffers of different formats cannot be joined")
    samples.append(contentsOf: other.samples)
  }

  /// Returns the frames of that range, clamped to the existing ones.
  public func slice(_ range: Range<Int>) -> PCMBuffer {
    PCMBuffer(samples: samples[range.clamped(to: samples.indices)], format: format)
  }

  /// Adds the other buffer's samples to this one's from that frame on. The buffer grows as needed,
  /// and sums that would overflow stay at full scale.
  package mutating func mix(_ other: PCMBuffer, at frame: Int) {
    precondition(other.format == format, "buffers of different formats cannot be mixed")
    let end = frame + other.frameCount
    if end > samples.count {
      samples.append(contentsOf: repeatElement(0, count: end - samples.count))
    }
    for index in 0..<other.frameCount {
      let sum = Int32(samples[frame + index]) + Int32(other.samples[index])
      samples[frame + index] = Int16(clamping: sum)
    }
  }

  /// Returns the audio amplified by that many decibels (attenuated below 0), limited to full scale.
  package func amplified(byDecibels decibels: Double) -> PCMBuffer {
    let factor = pow(10, decibels / 20)
    let louder = samples.map { Int16(rounding: Double($0) * factor) }
    return PCMBuffer(samples: louder, format: format)
  }
}

import Foundation

extension PCMBuffer {
  /// Adds the other buffer's samples behind this one's. Both have to be of one format.
  public mutating func append(_ other: PCMBuffer) {
    precondition(other.format == format, "buffers of different formats cannot be joined")
    samples.append(contentsOf: other.samples)
  }

  /// The frames of that range, clamped to what there is.
  public func slice(_ range: Range<Int>) -> PCMBuffer {
    PCMBuffer(samples: samples[range.clamped(to: samples.indices)], format: format)
  }

  /// Adds the other buffer's samples onto this one's from that frame on, growing as needed; sums that
  /// would overflow stay at full scale.
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

  /// The same sound, louder (above 0) or softer (below 0) by that many decibels, limited to full scale.
  package func amplified(byDecibels decibels: Double) -> PCMBuffer {
    let factor = pow(10, decibels / 20)
    let louder = samples.map { Int16(rounding: Double($0) * factor) }
    return PCMBuffer(samples: louder, format: format)
  }
}

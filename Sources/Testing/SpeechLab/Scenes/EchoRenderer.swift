import SpeechConcurrency

/// Renders the echo of an `EchoingRoom` piece by piece.
struct EchoRenderer {
  /// The reach of the interpolation, in samples to either side.
  private static let reach = 16
  /// The number of positions between two samples for which the interpolation is tabulated.
  private static let phases = 512

  private let speaker: MemorySpeaker
  private let format: AudioFormat
  private let openedAt: Double
  private let pace: Double
  private let delay: Double
  private let response: [Float]
  private var position = 0
  /// The played audio, as long as the response.
  private var history: [Float]
  /// The kernels by the sample rate of the played audio.
  private var kernels: [Int: [Float]] = [:]

  init(
    speaker: MemorySpeaker, format: AudioFormat, openedAt: Duration, pace: Double,
    acoustics: EchoingRoom.Acoustics
  ) {
    precondition(acoustics.delay >= .milliseconds(2), "a room has a delay of at least 2 ms")
    self.speaker = speaker
    self.format = format
    self.openedAt = openedAt / .seconds(1)
    self.pace = pace
    delay = acoustics.delay / .seconds(1)
    response = acoustics.response(sampleRate: format.sampleRate)
    history = [Float](repeating: 0, count: response.count - 1)
  }

  mutating func skip(_ frames: Int) {
    history = [Float](repeating: 0, count: history.count)
    position += frames
  }

  mutating func next(_ count: Int) -> PCMBuffer {
    history += played(count)
    defer { history.removeFirst(count) }
    var sum = [Float](repeating: 0, count: count)
    let past = response.count - 1
    sum.withUnsafeMutableBufferPointer { sum in
      history.withUnsafeBufferPointer { history in
        response.withUnsafeBufferPointer { response in
          for delay in 0..<response.count {
            let gain = response[delay]
            let start = past - delay
            for index in 0..<count { sum[index] += gain * history[start + index] }
          }
        }
      }
    }
    return PCMBuffer(
      samples: sum.map { Int16(max(-32_768, min(32_767, $0.rounded()))) }, format: format)
  }

  /// Returns the played audio of one delay ago, at the microphone's rate.
  private mutating func played(_ count: Int) -> [Float] {
    let rate = Double(format.sampleRate)
    let start = openedAt + Double(position) / rate - delay
    position += count
    var result = [Float](repeating: 0, count: count)
    // A margin on both sides for the interpolation.
    let margin = 0.0015
    let from = Duration.seconds((start - margin) * pace)
    let end = Duration.seconds((start + Double(count) / rate + margin) * pace)
    for sound in speaker.sounds(between: max(.zero, from), and: end) {
      let soundRate = Double(sound.audio.format.sampleRate)
      let kernel = kernel(for: sound.audio.format.sampleRate)
      let first = (start * pace - sound.start / .seconds(1)) * soundRate
      let step = pace * soundRate / rate
      sound.audio.samples.withUnsafeBufferPointer { samples in
        for index in 0..<count {
          let place = first + Double(index) * step
          let nearest = Int(place.rounded(.down))
          let phase = Int((place - Double(nearest)) * Double(Self.phases))
          let low = max(0, nearest - Self.reach + 1)
          let high = min(samples.count - 1, nearest + Self.reach)
          guard low <= high else { continue }
          var value: Float = 0
          let base = phase * Self.reach * 2 - (nearest - Self.reach + 1)
          for sample in low...high { value += Float(samples[sample]) * kernel[base + sample] }
          result[index] += value
        }
      }
    }
    return result
  }

  /// Returns a low-pass filter between the samples, for every phase.
  private mutating func kernel(for soundRate: Int) -> [Float] {
    if let known = kernels[soundRate] { return known }
    let cutoff = min(1, 0.92 * Double(format.sampleRate) / Double(soundRate))
    var kernel: [Float] = []
    for phase in 0..<Self.phases {
      for tap in 0..<Self.reach * 2 {
        let distance =
          Double(phase) / Double(Self.phases) - Double(tap - Self.reach + 1)
        let angle = Double.pi * distance * cutoff
        let sinc = abs(angle) < 1e-9 ? 1 : sin(angle) / angle
        let window = 0.5 + 0.5 * cos(.pi * distance / Double(Self.reach))
        kernel.append(Float(cutoff * sinc * max(0, window)))
      }
    }
    kernels[soundRate] = kernel
    return kernel
  }
}

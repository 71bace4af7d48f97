import SpeechConcurrency

/// The path of audio from the air to the recogniser: noise, clipping, the line with its losses, and
/// the device's clock. The room is not part of it, because each voice has its own position there.
struct SoundPath: Sendable {
  private struct Bed: Sendable {
    let samples: [Double]
    let gain: Double
  }

  private let format: AudioFormat
  private let beds: [Bed]
  private let limit: Double?
  private var line: TelephoneLine?
  private var losses: LossPattern?
  private var drift: DriftingSamples?
  private var position: Int

  /// - Parameters:
  ///   - speechLevel: The level to which the noise is relative.
  ///   - frames: The maximum number of frames to come, as far as known.
  ///   - position: The number of frames that have passed already.
  init(
    _ scene: AcousticScene, speechLevel: Double, frames: Int = .max, seed: UInt64,
    position: Int = 0, format: AudioFormat = .recognition
  ) async throws {
    self.format = format
    self.position = position
    var beds: [Bed] = []
    for (index, background) in scene.backgrounds.enumerated() {
      var random = SeededNumbers(seed: seed, part: "background \(index)")
      let samples = try await background.loop(seed: random.next(), atMost: frames)
      let gain = pow(10, (speechLevel - background.decibels) / 20) * 32_768
      if !samples.isEmpty { beds.append(Bed(samples: samples, gain: gain)) }
    }
    self.beds = beds
    limit = scene.clipping.map { pow(10, $0 / 20) * 32_768 }
    line = scene.isTelephone ? TelephoneLine(format: format) : nil
    losses = scene.dropouts.map { LossPattern($0, seed: seed, format: format) }
    drift =
      scene.clockDrift == 0
      ? nil : DriftingSamples(partsPerMillion: scene.clockDrift)
  }

  /// Returns the output for the next stretch; with a drifting clock it is slightly longer or
  /// shorter.
  mutating func process(_ sound: PCMBuffer) -> PCMBuffer {
    var samples = sound.samples.map(Double.init)
    for bed in beds {
      for index in samples.indices {
        samples[index] += bed.samples[(position + index) % bed.samples.count] * bed.gain
      }
    }
    if let limit {
      for index in samples.indices { samples[index] = min(limit, max(-limit, samples[index])) }
    }
    line?.process(&samples)
    losses?.apply(to: &samples, from: position)
    position += samples.count
    return PCMBuffer(
      samples: (drift?.process(samples) ?? samples).map { Int16(nearest: $0) },
      format: sound.format)
  }

  /// Skips frames that were lost on the way here.
  mutating func skip(_ frames: Int) { position += frames }

  /// Returns the audio that is still on its way at the end.
  mutating func finish() -> PCMBuffer {
    guard let delay = line?.delay else { return PCMBuffer(format: format) }
    return process(PCMBuffer(samples: [Int16](repeating: 0, count: delay), format: format))
  }
}

/// The positions of lost audio: random in each second, and the same for each query.
struct LossPattern: Sendable {
  private let length: Int
  private let probability: Double
  private let seed: UInt64

  init(_ dropouts: AcousticScene.Dropouts, seed: UInt64, format: AudioFormat) {
    length = max(1, format.frames(in: dropouts.length))
    let slots = Double(format.sampleRate) * 60 / Double(length)
    probability = min(1, dropouts.perMinute / slots)
    var random = SeededNumbers(seed: seed, part: "losses")
    self.seed = random.next()
  }

  func apply(to samples: inout [Double], from position: Int) {
    for index in samples.indices where isLost((position + index) / length) { samples[index] = 0 }
  }

  private func isLost(_ slot: Int) -> Bool {
    let number = SeededNumbers.number(at: seed &+ UInt64(slot))
    return Double(number >> 11) * 0x1p-53 < probability
  }
}

/// A telephone line: its band, and the quantisation of its codec.
struct TelephoneLine: Sendable {
  private let taps: [Double]
  private var past: [Double]

  init(format: AudioFormat) {
    taps = Self.band(from: 300, to: 3_400, rate: Double(format.sampleRate))
    past = [Double](repeating: 0, count: taps.count - 1)
  }

  /// The delay of the line in samples.
  var delay: Int { taps.count / 2 }

  mutating func process(_ samples: inout [Double]) {
    let whole = past + samples
    // The filter is symmetric, so it need not be reversed.
    let filtered = whole.convolved(with: taps)[past.count...]
    samples = filtered.prefix(samples.count).map(Self.coded)
    past = Array(whole.suffix(past.count))
  }

  /// Returns the nearest of the 255 values of µ-law.
  static func coded(_ sample: Double) -> Double {
    let (mu, full) = (255.0, 32_768.0)
    let share = min(1, abs(sample) / full)
    let code = (log(1 + mu * share) / log(1 + mu) * 127).rounded() / 127
    let decoded = (pow(1 + mu, code) - 1) / mu * full
    return sample < 0 ? -decoded : decoded
  }

  /// Returns a linear-phase filter for the band, 50 dB down within 150 Hz outside it.
  private static func band(from low: Double, to high: Double, rate: Double) -> [Double] {
    let reach = Int(0.016 * rate)
    return (-reach...reach).map { index in
      let place = Double(index)
      func lowPass(_ frequency: Double) -> Double {
        let turn = 2 * frequency / rate
        return index == 0 ? turn : sin(.pi * turn * place) / (.pi * place)
      }
      let window = 0.54 + 0.46 * cos(.pi * place / Double(reach + 1))
      return (lowPass(high) - lowPass(low)) * window
    }
  }
}

/// Audio sampled by a clock that runs faster or slower.
struct DriftingSamples: Sendable {
  private static let reach = 12
  private let step: Double
  private var waiting: [Double]
  /// The position of the next sample, counted in `waiting`.
  private var place: Double

  init(partsPerMillion: Double) {
    // A faster clock takes more samples of the same second.
    step = 1 / (1 + partsPerMillion * 1e-6)
    waiting = [Double](repeating: 0, count: Self.reach)
    place = Double(Self.reach)
  }

  mutating func process(_ samples: [Double]) -> [Double] {
    waiting += samples
    var out: [Double] = []
    out.reserveCapacity(samples.count + 1)
    while Int(place) + Self.reach < waiting.count {
      let nearest = Int(place)
      var sum = 0.0
      for index in (nearest - Self.reach + 1)...(nearest + Self.reach) {
        let distance = place - Double(index)
        let angle = Double.pi * distance
        let sinc = abs(angle) < 1e-9 ? 1 : sin(angle) / angle
        sum += waiting[index] * sinc * (0.5 + 0.5 * cos(angle / Double(Self.reach)))
      }
      out.append(sum)
      place += step
    }
    let used = max(0, Int(place) - Self.reach)
    waiting.removeFirst(used)
    place -= Double(used)
    return out
  }
}

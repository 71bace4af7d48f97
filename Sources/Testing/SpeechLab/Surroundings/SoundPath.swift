import SpeechConcurrency

/// The way of sound from the air to the recogniser, stretch by stretch: noise, clipping, the line and its losses,
/// and the clock of the device. The room is not part of it, because each voice has its own place there.
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
  ///   - speechLevel: the level against which noise is reckoned.
  ///   - frames: how many will come at most, as far as that is known.
  ///   - position: how many have gone by already.
  init(
    _ surroundings: Surroundings, speechLevel: Double, frames: Int = .max, seed: UInt64,
    position: Int = 0, format: AudioFormat = .recognition
  ) async throws {
    self.format = format
    self.position = position
    var beds: [Bed] = []
    for (index, background) in surroundings.backgrounds.enumerated() {
      var random = SeededNumbers(seed: seed, part: "background \(index)")
      let samples = try await background.loop(seed: random.next(), atMost: frames)
      let gain = pow(10, (speechLevel - background.decibels) / 20) * 32_768
      if !samples.isEmpty { beds.append(Bed(samples: samples, gain: gain)) }
    }
    self.beds = beds
    limit = surroundings.clipping.map { pow(10, $0 / 20) * 32_768 }
    line = surroundings.isTelephone ? TelephoneLine(format: format) : nil
    losses = surroundings.dropouts.map { LossPattern($0, seed: seed, format: format) }
    drift =
      surroundings.clockDrift == 0
      ? nil : DriftingSamples(partsPerMillion: surroundings.clockDrift)
  }

  /// What comes out for the next stretch; with a drifting clock a little more or less of it.
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

  /// So much got lost before it came here.
  mutating func skip(_ frames: Int) { position += frames }

  /// What is still on its way when nothing follows.
  mutating func finish() -> PCMBuffer {
    guard let delay = line?.delay else { return PCMBuffer(format: format) }
    return process(PCMBuffer(samples: [Int16](repeating: 0, count: delay), format: format))
  }
}

/// Where sound gets lost: in each second at random places, the same ones whenever one looks.
struct LossPattern: Sendable {
  private let length: Int
  private let probability: Double
  private let seed: UInt64

  init(_ dropouts: Surroundings.Dropouts, seed: UInt64, format: AudioFormat) {
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

/// A telephone: its band, and the steps of its coding.
struct TelephoneLine: Sendable {
  private let taps: [Double]
  private var past: [Double]

  init(format: AudioFormat) {
    taps = Self.band(from: 300, to: 3_400, rate: Double(format.sampleRate))
    past = [Double](repeating: 0, count: taps.count - 1)
  }

  /// How many samples later the sound comes out.
  var delay: Int { taps.count / 2 }

  mutating func process(_ samples: inout [Double]) {
    let whole = past + samples
    var out = samples
    whole.withUnsafeBufferPointer { whole in
      taps.withUnsafeBufferPointer { taps in
        for index in out.indices {
          var sum = 0.0
          for tap in 0..<taps.count { sum += taps[tap] * whole[index + tap] }
          out[index] = Self.coded(sum)
        }
      }
    }
    past = Array(whole.suffix(past.count))
    samples = out
  }

  /// The nearest of the 255 values that µ-law has.
  static func coded(_ sample: Double) -> Double {
    let (mu, full) = (255.0, 32_768.0)
    let share = min(1, abs(sample) / full)
    let code = (log(1 + mu * share) / log(1 + mu) * 127).rounded() / 127
    let decoded = (pow(1 + mu, code) - 1) / mu * full
    return sample < 0 ? -decoded : decoded
  }

  /// A filter of linear phase for that band, 50 dB down outside it within 150 Hz.
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

/// Sound taken down by a clock that runs faster or slower.
struct DriftingSamples: Sendable {
  private static let reach = 12
  private let step: Double
  private var waiting: [Double]
  /// Where the next sample is taken, counted in `waiting`.
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

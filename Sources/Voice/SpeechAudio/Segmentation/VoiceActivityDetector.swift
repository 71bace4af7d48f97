import Foundation

/// Measures how much each hundredth of a second stands out from the background.
///
/// Each of six bands has its own background. The result is the likelihood ratio of “more than the
/// background” against “background”: its mean over the bands, and the median of five frames, which
/// a click of two frames does not affect. It is about 0.1 for steady noise of any colour and level,
/// and above 1 for speech.
struct VoiceActivityDetector: Sendable {
  /// The result of one frame.
  struct Frame: Sendable {
    /// The likelihood ratio against the background.
    var evidence: Double
    /// The energy in all bands.
    var energy: Double
  }

  /// The length of a frame of the detector in frames of the stream.
  let hop: Int
  /// The delay of the result, in frames, after the first ones.
  static let delay = 2

  /// Levels below −78 dB per band are ignored, so that everything does not stand out from digital
  /// silence.
  private static let threshold = 1.6e-8
  /// The number of frames before the first result, because there is no background yet.
  private static let warmUpFrames = 40

  private var filters: [BandFilter]
  private var floors: [NoiseFloor]
  private var scratch: [Double]
  private var energies: [Double]
  private let highPass: Double
  private var previous = (input: 0.0, output: 0.0)
  private var framesHeard = 0
  /// The energies of the frames before the first result.
  private var unjudged: [Double] = []
  private var recent = [Double](repeating: 0, count: 5)
  private var recentEnergy = [Double](repeating: 0, count: 5)
  private var framesJudged = 0

  init(format: AudioFormat) {
    hop = max(1, format.sampleRate / 100)
    highPass = exp(-2 * .pi * 120 / Double(format.sampleRate))
    filters = BandFilter.speechBands(sampleRate: format.sampleRate)
    floors = filters.map { _ in NoiseFloor() }
    scratch = [Double](repeating: 0, count: hop)
    energies = filters.map { _ in 0 }
  }

  /// Processes `hop` samples and passes on the results that are ready, in order: nothing at first,
  /// then all frames that were held back, then one frame for each.
  mutating func process(_ samples: ArraySlice<Int16>, _ judge: (Frame) -> Void) {
    measure(samples)
    framesHeard += 1
    for band in floors.indices { floors[band].add(energies[band]) }
    guard framesHeard >= Self.warmUpFrames else {
      unjudged += energies
      return
    }
    flush(judge)
    push(energies[...], judge)
  }

  /// Passes on the remaining results at the end of the stream, and resets the stream but not its
  /// background.
  mutating func finish(_ judge: (Frame) -> Void) {
    flush(judge)
    for _ in 0..<Self.delay where framesJudged > 0 { push(nil, judge) }
    for index in recent.indices {
      recent[index] = 0
      recentEnergy[index] = 0
    }
    framesJudged = 0
  }

  private mutating func flush(_ judge: (Frame) -> Void) {
    guard !unjudged.isEmpty else { return }
    let frames = unjudged
    unjudged = []
    for start in stride(from: 0, to: frames.count, by: filters.count) {
      push(frames[start..<start + filters.count], judge)
    }
  }

  /// Processes one frame and passes on the smoothed result of the frame two before it.
  private mutating func push(_ energies: ArraySlice<Double>?, _ judge: (Frame) -> Void) {
    let slot = framesJudged % recent.count
    recent[slot] = energies.map(evidence) ?? 0
    recentEnergy[slot] = energies.map { $0.reduce(0, +) } ?? 0
    framesJudged += 1
    guard framesJudged > Self.delay else { return }
    judge(
      Frame(
        evidence: medianOfRecent,
        energy: recentEnergy.reduce(0, +) / Double(recent.count)))
  }

  private var medianOfRecent: Double {
    // The two inner ones of four values enclose the median, or one of them is it.
    let low = max(min(recent[0], recent[1]), min(recent[2], recent[3]))
    let high = min(max(recent[0], recent[1]), max(recent[2], recent[3]))
    return max(min(recent[4], low), min(max(recent[4], low), high))
  }

  private func evidence(_ energies: ArraySlice<Double>) -> Double {
    var sum = 0.0
    for (band, energy) in energies.enumerated() {
      let noise = floors[band].energy
      let ratio = (energy + Self.threshold) / (noise + Self.threshold)
      if ratio > 1 { sum += ratio - 1 - log(ratio) }
    }
    return sum / Double(filters.count)
  }

  private mutating func measure(_ samples: ArraySlice<Int16>) {
    var (input, output) = previous
    var index = 0
    for sample in samples {
      // Loud audio below the speech bands would leak into them: the mains, steps, an offset.
      let value = Double(sample) / 32_768
      output = value - input + highPass * output
      input = value
      scratch[index] = output
      index += 1
    }
    previous = (input, abs(output) < 1e-30 ? 0 : output)
    scratch.withUnsafeBufferPointer { samples in
      for band in filters.indices { energies[band] = filters[band].energy(of: samples) }
    }
  }
}

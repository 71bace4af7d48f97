/// The average of the cepstra of some speech: the share of microphone, room and voice in every
/// frame, which is subtracted before decoding.
///
/// A wrong mean is expensive: a first utterance decoded with another speaker's mean has a third
/// more word errors. The first second that a new decoder receives is therefore measured before it
/// is decoded.
struct CepstralMean: Equatable {
  var values: [Float]
  /// The number of frames it represents when it is mixed with others.
  var frames: Int

  /// The mean of both, weighted by their frames.
  func mixed(with other: CepstralMean) -> CepstralMean {
    let total = frames + other.frames
    guard total > 0, values.count == other.values.count else { return self }
    let share = Float(other.frames) / Float(total)
    let mixed = zip(values, other.values).map { $0 + ($1 - $0) * share }
    return CepstralMean(values: mixed, frames: total)
  }

  /// The same mean with that weight.
  func weighing(_ frames: Int) -> CepstralMean { CepstralMean(values: values, frames: frames) }
}

extension CepstralMean {
  /// The mean of the frames from a level on; `nil` if there are none, or all are digitally silent.
  init?(of values: ArraySlice<Float>, width: Int, from level: Float = 0) {
    var sum = [Double](repeating: 0, count: width)
    var frames = 0
    for start in stride(from: values.startIndex, to: values.endIndex, by: width)
    where values[start] >= max(level, 0) {
      for index in 0..<width { sum[index] += Double(values[start + index]) }
      frames += 1
    }
    guard frames > 0 else { return nil }
    self.init(values: sum.map { Float($0 / Double(frames)) }, frames: frames)
  }

  /// The mean of the frames in the upper half of the range of levels; `nil` if all are digitally
  /// silent.
  ///
  /// A decoder that waits for a phrase receives more silence than speech, and the mean of both
  /// distorts speech as much as that of another microphone. Of 24 recordings of “computer”, a
  /// third of each silent, 16 are found with the mean of all frames, and 22 with this one, without
  /// a false alarm in 12 minutes.
  init?(ofLoud values: ArraySlice<Float>, width: Int) {
    let levels = stride(from: values.startIndex, to: values.endIndex, by: width)
      .map { values[$0] }.sorted()
    guard let last = levels.indices.last else { return nil }
    let low = levels[last / 10]
    let high = levels[last * 95 / 100]
    self.init(of: values, width: width, from: (low + high) / 2)
  }

  /// The average mean of many speakers, rooms and microphones. They differ widely, so it is
  /// little better than nothing.
  static func typical(count: Int) -> CepstralMean {
    let known: [Float] = [41, -1, -1, 5, -3, -4, -2, -5, 0, -3, 0, -1, 0]
    let padded = known.prefix(count) + Array(repeating: 0, count: max(count - known.count, 0))
    return CepstralMean(values: Array(padded), frames: typicalFrames)
  }

  /// The weight of the typical mean against a measured one, in frames.
  static let typicalFrames = 20
  /// The weight of the measured mean against the following frames, in frames.
  static let measuredFrames = 50
  /// The weight of the last utterance's mean in the next one, in frames.
  static let carriedFrames = 150
}

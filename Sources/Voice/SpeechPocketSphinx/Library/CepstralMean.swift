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

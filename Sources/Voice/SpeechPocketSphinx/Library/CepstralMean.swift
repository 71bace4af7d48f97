/// The average of the cepstra of some speech: what microphone, room and voice add to every frame, and
/// what is subtracted before decoding.
///
/// A wrong mean is the dearest thing there is here: a first utterance under somebody else's mean has a
/// third more word errors. So the first second of a fresh decoder is measured before it is decoded.
struct CepstralMean: Equatable {
  var values: [Float]
  /// How many frames it stands for, when it is mixed with others.
  var frames: Int

  /// Both together, each by its frames.
  func mixed(with other: CepstralMean) -> CepstralMean {
    let total = frames + other.frames
    guard total > 0, values.count == other.values.count else { return self }
    let share = Float(other.frames) / Float(total)
    let mixed = zip(values, other.values).map { $0 + ($1 - $0) * share }
    return CepstralMean(values: mixed, frames: total)
  }

  /// The same mean, counted as that many frames.
  func weighing(_ frames: Int) -> CepstralMean { CepstralMean(values: values, frames: frames) }
}

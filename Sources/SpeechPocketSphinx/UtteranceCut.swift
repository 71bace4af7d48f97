/// Where an utterance that is too long for the library is cut in two: one grows by 15 MB a minute and
/// takes ever longer to end.
struct UtteranceCut {
  /// From this length on a quiet moment is good enough.
  var earliest: Int
  /// At this length it has to be.
  var latest: Int

  static let standard = UtteranceCut(earliest: 30 * 16_000, latest: 60 * 16_000)

  /// How loud sound is: the mean of its squares.
  static func power(of samples: ArraySlice<Int16>) -> Double {
    guard !samples.isEmpty else { return 0 }
    var sum = 0.0
    for sample in samples { sum += Double(sample) * Double(sample) }
    return sum / Double(samples.count)
  }

  /// Whether to cut behind a block of that power, the utterance being that long and loud.
  func isDue(length: Int, blockPower: Double, meanPower: Double) -> Bool {
    length >= latest || length >= earliest && blockPower < meanPower / 100
  }

  /// The pieces of a whole utterance: cut in the quietest fifth of a second that is in reach.
  func pieces(of samples: [Int16]) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 0
    let step = 1600
    while samples.count - start > latest {
      var quietest = start + latest
      var least = Double.infinity
      for middle in stride(from: start + earliest, to: start + latest - step, by: step) {
        let power = Self.power(of: samples[middle - step..<middle + step])
        if power <= least {
          least = power
          quietest = middle
        }
      }
      pieces.append(start..<quietest)
      start = quietest
    }
    pieces.append(start..<samples.count)
    return pieces
  }
}

/// Where an utterance that is too long for the library is cut: one grows by 15 MB a minute and takes
/// ever longer to end.
struct UtteranceCut {
  /// From this length on a pause is good enough.
  var earliest: Int
  /// At this length it has to be.
  var latest: Int

  static let standard = UtteranceCut(earliest: 30 * 16_000, latest: 60 * 16_000)

  /// How many blocks in a row have to be quiet for a pause.
  static let pauseBlocks = 4

  /// How loud sound is: the mean of its squares.
  static func power(of samples: ArraySlice<Int16>) -> Double {
    guard !samples.isEmpty else { return 0 }
    var sum = 0.0
    for sample in samples { sum += Double(sample) * Double(sample) }
    return sum / Double(samples.count)
  }

  /// Whether a block of that power is quiet in sound of that mean: 20 dB below it.
  static func isQuiet(_ power: Double, mean: Double) -> Bool { power < mean / 100 }

  /// Whether to cut now, the utterance being that long and its last blocks quiet.
  func isDue(length: Int, quietBlocks: Int) -> Bool {
    length >= latest || length >= earliest && quietBlocks >= Self.pauseBlocks
  }

  /// The pieces of a whole utterance, cut in the middle of the longest pauses.
  func pieces(of samples: [Int16]) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 0
    while samples.count - start > latest {
      let end = start + place(in: samples[start..<start + latest])
      pieces.append(start..<end)
      start = end
    }
    pieces.append(start..<samples.count)
    return pieces
  }

  /// How far into these samples to cut.
  private func place(in samples: ArraySlice<Int16>) -> Int {
    let block = LiveUtterance.block
    let powers = stride(from: earliest, to: latest - block, by: block).map { offset in
      Self.power(of: samples[samples.startIndex + offset..<samples.startIndex + offset + block])
    }
    let mean = Self.power(of: samples)
    var run = 0
    var longest = (length: 0, end: 0)
    for (index, power) in powers.enumerated() {
      run = Self.isQuiet(power, mean: mean) ? run + 1 : 0
      if run > longest.length { longest = (run, index + 1) }
    }
    if longest.length > 0 {
      return earliest + (2 * longest.end - longest.length) * block / 2
    }
    let quietest = powers.indices.min { powers[$0] < powers[$1] } ?? 0
    return earliest + quietest * block + block / 2
  }
}

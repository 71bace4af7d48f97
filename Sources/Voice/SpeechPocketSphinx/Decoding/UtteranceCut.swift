/// The rule that cuts an utterance that is too long for the library: it grows by 15 MB a minute,
/// and finishing it takes longer and longer.
struct UtteranceCut {
  /// The length from which on a pause suffices.
  var earliest: Int
  /// The length at which the utterance is cut in any case.
  var latest: Int

  static let standard = UtteranceCut(earliest: 30 * 16_000, latest: 60 * 16_000)

  /// The number of consecutive quiet blocks that make a pause.
  static let pauseBlocks = 4

  /// True if a block of that power is quiet in audio of that mean power: 20 dB below it.
  static func isQuiet(_ power: Double, mean: Double) -> Bool { power < mean / 100 }

  /// True if an utterance of that length, whose last blocks are quiet, is to be cut now.
  func isDue(length: Int, quietBlocks: Int) -> Bool {
    length >= latest || length >= earliest && quietBlocks >= Self.pauseBlocks
  }

  /// The pieces of a complete utterance, cut in the middle of the longest pauses.
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

  /// The offset at which these samples are cut.
  private func place(in samples: ArraySlice<Int16>) -> Int {
    let block = LiveUtterance.block
    let powers = stride(from: earliest, to: latest - block, by: block).map { offset in
      samples[samples.startIndex + offset..<samples.startIndex + offset + block].power
    }
    let mean = samples.power
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

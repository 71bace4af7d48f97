/// The sound of an utterance in which key phrases are looked for while it is spoken.
struct KeyPhraseStream {
  /// The cepstra of what was heard, as they are.
  private(set) var cepstra: Cepstra
  /// What was judged already, by what the library said of it.
  private(set) var judged: [Finding: SpottedPhrase] = [:]
  /// The sound of the last frames and what follows.
  private var samples: [Int16] = []
  private let lastMean: CepstralMean?

  /// What tells one report of the library from another.
  struct Finding: Hashable {
    var word: String
    var firstFrame: Int
    var lastFrame: Int
  }

  /// The first frame of some sound lacks the sample before it; and of less than ten frames the library makes
  /// none at all.
  private static let lead = 12
  private static let fewest = 4

  /// How far back the mean looks: ten seconds.
  private static let remembered = 1000
  /// What the mean of the last utterance counts for, in frames.
  static let carriedFrames = 50

  init(width: Int, lastMean: CepstralMean?) {
    cepstra = Cepstra(values: [], width: width)
    self.lastMean = lastMean
  }

  /// The mean of what was heard.
  var mean: CepstralMean {
    let values = cepstra.values.suffix(Self.remembered * cepstra.width)
    guard let heard = LoudMean.mean(of: values, width: cepstra.width) else {
      return lastMean ?? .typical(count: cepstra.width)
    }
    return lastMean?.weighing(Self.carriedFrames).mixed(with: heard) ?? heard
  }

  /// Hears more and tells the new frames, without their mean.
  ///
  /// The cepstra are those that the whole would have: a frame depends on nothing but its own sound and the
  /// sample before it.
  mutating func hear(
    _ block: ArraySlice<Int16>, with handle: borrowing PocketSphinxHandle,
    atLeast fewest: Int = Self.fewest
  ) throws -> Cepstra {
    samples += block
    let step = Cepstra.samplesPerFrame
    let known = cepstra.frameCount
    // Frames that are known and whose sound is still there.
    let lead = min(known, Self.lead)
    let frames = (samples.count - Cepstra.samplesPerWindow) / step + 1
    let none = Cepstra(values: [], width: cepstra.width)
    guard samples.count >= Cepstra.samplesPerWindow, frames >= lead + fewest else { return none }
    let made = try handle.cepstra(of: samples[...])
    guard made.frameCount >= frames else { return none }
    cepstra.values += made.values[lead * cepstra.width..<frames * cepstra.width]
    samples.removeFirst(max(0, frames - Self.lead) * step)
    return cepstra.frames(known..<cepstra.frameCount, without: mean)
  }

  /// The frames that were held back, and the last one again for the features of those before it: without, the
  /// library would not hear the last hundredths of a second.
  mutating func finish(with handle: borrowing PocketSphinxHandle) throws -> Cepstra {
    let held = try hear([], with: handle, atLeast: 1)
    guard held.frameCount == 0 else { return held.padded(by: handle.framesAround) }
    let count = cepstra.frameCount
    guard count > 0, handle.framesAround > 0 else { return held }
    return cepstra.frames(count - 1..<count, without: mean).padded(by: handle.framesAround - 1)
  }

  mutating func note(_ phrase: SpottedPhrase, for finding: Finding) { judged[finding] = phrase }

  /// The cepstra around a finding without the mean, and the frame that they start with.
  func surroundings(of finding: Finding) -> (cepstra: Cepstra, first: Int)? {
    let first = max(0, finding.firstFrame - KeyPhraseCheck.surroundings)
    let end = min(cepstra.frameCount, finding.lastFrame + 1 + KeyPhraseList.settlingFrames)
    guard first < end else { return nil }
    return (cepstra.frames(first..<end, without: mean), first)
  }
}

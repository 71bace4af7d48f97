/// The audio of an utterance in which key phrases are searched while it is spoken.
struct KeyPhraseStream {
  /// The cepstra of the audio, without normalisation.
  private(set) var cepstra: Cepstra
  private(set) var judged: [Finding: SpottedPhrase] = [:]
  /// The samples of the last frames and the following ones.
  private var samples: [Int16] = []
  private let lastMean: CepstralMean?

  /// The identity of a finding of the library.
  struct Finding: Hashable {
    var word: String
    var firstFrame: Int
    var lastFrame: Int
  }

  /// The first frame of a buffer lacks the sample before it, and the library computes no cepstra of
  /// fewer than ten frames.
  private static let lead = 12
  private static let fewest = 4

  /// The number of frames that the mean includes: ten seconds.
  private static let remembered = 1000
  /// The weight of the last utterance's mean, in frames.
  static let carriedFrames = 50

  init(width: Int, lastMean: CepstralMean?) {
    cepstra = Cepstra(values: [], width: width)
    self.lastMean = lastMean
  }

  /// The mean of the audio so far.
  var mean: CepstralMean {
    let values = cepstra.values.suffix(Self.remembered * cepstra.width)
    guard let heard = CepstralMean(ofLoud: values, width: cepstra.width) else {
      return lastMean ?? .typical(count: cepstra.width)
    }
    return lastMean?.weighing(Self.carriedFrames).mixed(with: heard) ?? heard
  }

  /// Adds audio and returns the new frames, without their mean.
  ///
  /// The cepstra are those of the complete audio: a frame depends only on its own samples and the
  /// one before them.
  mutating func hear(
    _ block: ArraySlice<Int16>, with handle: borrowing PocketSphinxHandle,
    atLeast fewest: Int = Self.fewest
  ) throws -> Cepstra {
    samples += block
    let step = Cepstra.samplesPerFrame
    let known = cepstra.frameCount
    // The known frames whose samples are still available.
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

  /// Returns the frames that were held back, and the last one repeatedly for the features of those
  /// before it. Otherwise the library would not process the last hundredths of a second.
  mutating func finish(with handle: borrowing PocketSphinxHandle) throws -> Cepstra {
    let held = try hear([], with: handle, atLeast: 1)
    guard held.frameCount == 0 else { return held.padded(by: handle.framesAround) }
    let count = cepstra.frameCount
    guard count > 0, handle.framesAround > 0 else { return held }
    return cepstra.frames(count - 1..<count, without: mean).padded(by: handle.framesAround - 1)
  }

  mutating func note(_ phrase: SpottedPhrase, for finding: Finding) { judged[finding] = phrase }

  /// The cepstra around a finding without the mean, and their first frame.
  func surroundings(of finding: Finding) -> (cepstra: Cepstra, first: Int)? {
    let first = max(0, finding.firstFrame - KeyPhraseCheck.surroundings)
    let end = min(cepstra.frameCount, finding.lastFrame + 1 + KeyPhraseList.settlingFrames)
    guard first < end else { return nil }
    return (cepstra.frames(first..<end, without: mean), first)
  }
}

import SpeechCore

/// An utterance in progress: the samples to be decoded, and the results so far.
struct LiveUtterance {
  /// The number of samples that are decoded at a time: a tenth of a second.
  static let block = 1600
  /// The number of samples that are measured before the first utterance is decoded: a second.
  static let measured = 16_000
  /// The maximum length at which a sentence of a grammar is decoded again after its end.
  static let longestTwice = 30 * 16_000

  /// The maximum length at which an utterance without key phrases is searched again after its end;
  /// in longer speech the mean is as good before.
  static let longestRespotted = 10 * 16_000

  /// True while the library is in the middle of it.
  var isOpen = false
  /// The samples that are not decoded yet.
  var waiting: [Int16] = []
  /// The results of the finished pieces.
  var pieces: [DecodedPiece] = []
  /// The latest partial text.
  var partialText = ""

  /// The first sample of the current piece.
  private(set) var start = 0
  /// The number of decoded samples of the current piece.
  private(set) var length = 0
  /// Those samples, if they are needed again.
  private(set) var piece: [Int16] = []
  /// The number of quiet blocks at the end.
  private(set) var quietBlocks = 0
  private var energy = 0.0
  /// The stream that key phrases are searched in.
  var phraseStream: KeyPhraseStream?
  /// The key phrases found so far.
  var phrases: [SpottedPhrase] = []

  mutating func count(_ block: ArraySlice<Int16>, keeping: Bool) {
    let power = block.power
    length += block.count
    energy += power * Double(block.count)
    let isQuiet = UtteranceCut.isQuiet(power, mean: energy / Double(length))
    quietBlocks = isQuiet ? quietBlocks + 1 : 0
    if keeping { piece += block }
  }

  mutating func nextPiece() {
    start += length
    length = 0
    energy = 0
    quietBlocks = 0
    piece = []
    phrases = []
  }
}

import SpeechCore

/// An utterance that is being spoken: what still has to be decoded, and what came of the rest.
struct LiveUtterance {
  /// A tenth of a second: how much is decoded at a time.
  static let block = 1600
  /// How much is measured before the first utterance is decoded: a second.
  static let measured = 16_000
  /// Up to this length a sentence of a grammar is decoded once more when it is over.
  static let longestTwice = 30 * 16_000

  /// Up to this length key phrases that were not heard are looked for once more when it is over; in longer
  /// speech the mean is as good before.
  static let longestRespotted = 10 * 16_000

  /// Whether the library is in the midst of it.
  var isOpen = false
  /// Samples that are not decoded yet.
  var waiting: [Int16] = []
  /// What was said in the pieces that are over.
  var pieces: [DecodedPiece] = []
  /// The partial text that was told last.
  var partialText = ""

  /// The first sample of the current piece.
  private(set) var start = 0
  /// How many samples of the current piece are decoded.
  private(set) var length = 0
  /// Those samples, if they are needed again.
  private(set) var piece: [Int16] = []
  /// How many of the last blocks were quiet.
  private(set) var quietBlocks = 0
  private var energy = 0.0
  /// What key phrases are looked for in.
  var phraseStream: KeyPhraseStream?
  /// The key phrases that were heard.
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

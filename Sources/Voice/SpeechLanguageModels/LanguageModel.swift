import Foundation

/// An n-gram model: the probabilities of words after other words, by which dictation chooses among
/// words that sound alike.
///
/// A model of an app's own sentences recognises them best:
/// ```swift
/// var builder = LanguageModelBuilder(locale: Locale(identifier: "en_US"))
/// builder.add("Turn on the kitchen lights.")
/// builder.add("Turn the heating up to 21 degrees.")
/// let model = try builder.build()
/// try model.write(to: URL(filePath: "home.lm.bin"))
/// ```
/// Models are read and written as ARPA files (`.lm`) and in PocketSphinx's binary form (`.lm.bin`).
/// PocketSphinx itself uses n-grams of up to three words.
public struct LanguageModel: Sendable {
  /// The maximum order; files with longer n-grams are rejected.
  package static let mostOrder = 4

  /// All words of the model, in the order of its file, including markers such as `</s>`.
  public let words: [String]
  /// The smoothing of each order; empty if the model was read from a file or mixed.
  public let smoothing: [LanguageModelSmoothing]
  /// The n-grams by length. There is at least one level, with an entry for each word.
  let levels: [NGramLevel]
  let numbers: [String: UInt32]
  let unknownWord: UInt32?
  let startWord: UInt32?
  let endWord: UInt32?

  /// The length of the longest n-grams.
  public var order: Int { levels.count }

  /// The number of n-grams of each length, beginning with single words.
  public var counts: [Int] { levels.map(\.keys.count) }

  init(
    words: [String], levels: [NGramLevel], smoothing: [LanguageModelSmoothing] = []
  ) {
    self.words = words
    self.levels = levels
    self.smoothing = smoothing
    numbers = Dictionary(
      words.enumerated().map { ($1, UInt32($0)) }, uniquingKeysWith: { first, _ in first })
    unknownWord = numbers["<unk>"] ?? numbers["<UNK>"]
    startWord = numbers["<s>"]
    endWord = numbers["</s>"]
  }

  /// True for a word rather than a marker.
  static func isSpoken(_ word: String) -> Bool {
    word.first.map { !"<[+(".contains($0) } ?? false
  }

  /// The words without markers, which a dictionary needs.
  public var spokenWords: [String] { words.filter(Self.isSpoken) }

  /// Returns the decimal logarithm of the probability of a word after others; `nil` for a word that
  /// is not in the model.
  ///
  /// - Parameter context: the words before, the nearest last; `<s>` is the beginning of the
  ///   sentence.
  public func logProbability(of word: String, after context: [String] = []) -> Double? {
    guard let number = numbers[word] else { return nil }
    let before = context.suffix(order - 1).map { numbers[$0] ?? unknownWord }
    // Nothing follows a word that is not in the model.
    let known = before.reversed().prefix { $0 != nil }.compactMap { $0 }.reversed()
    let key = known.reduce(NGramKey(0)) { $0.followed(by: $1) }
    return logProbability(of: number, after: key, length: known.count)
  }

  /// The same for the numbers of words.
  func logProbability(of word: UInt32, after context: NGramKey, length: Int) -> Double {
    var context = context
    var sum = 0.0
    for count in stride(from: length, to: 0, by: -1) {
      if count < levels.count, let place = levels[count].keys.place(of: context.followed(by: word))
      {
        return sum + Double(levels[count].logProbabilities[place])
      }
      if let place = levels[count - 1].place(of: context) {
        sum += Double(levels[count - 1].backOffs[place])
      }
      context = context.suffix(of: count)
    }
    return sum + Double(levels[0].logProbabilities[Int(word)])
  }
}

/// The n-grams of one length, in ascending order.
struct NGramLevel: Sendable {
  var keys: [NGramKey] = []
  /// The decimal logarithms of the probabilities.
  var logProbabilities: [Float] = []
  /// The logarithm that is added to that of a shorter n-gram if the longer one is not in the model.
  var backOffs: [Float] = []

  /// The logarithm of probability 0, as in files.
  static let never: Float = -99

  /// Single words are at the index of their number.
  func place(of key: NGramKey) -> Int? {
    if key < NGramKey(keys.count), keys[Int(key)] == key { return Int(key) }
    return keys.place(of: key)
  }

  /// The logarithm within the range of the file formats.
  static func log(_ probability: Double) -> Float {
    probability > 0 ? max(Float(log10(probability)), never) : never
  }

  static func probability(_ log: Float) -> Double { log <= never ? 0 : pow(10, Double(log)) }
}

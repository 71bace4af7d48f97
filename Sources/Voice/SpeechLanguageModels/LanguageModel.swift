import Foundation

/// Which words follow which, and how likely: what dictation chooses among words that sound alike by.
///
/// Made from an app's own sentences, it knows what is said there:
/// ```swift
/// var builder = LanguageModelBuilder(locale: Locale(identifier: "en_US"))
/// builder.add("Turn on the kitchen lights.")
/// builder.add("Turn the heating up to 21 degrees.")
/// let model = try builder.build()
/// try model.write(to: URL(filePath: "home.lm.bin"))
/// ```
/// Models are read and written as ARPA files (`.lm`) and in PocketSphinx's binary form (`.lm.bin`). PocketSphinx
/// itself makes no use of chains beyond three words.
public struct LanguageModel: Sendable {
  /// The longest chains of words that there may be; files with longer ones are refused.
  package static let mostOrder = 4

  /// All words that it knows, in the order of its file, marks such as `</s>` among them.
  public let words: [String]
  /// How the chains of each length were smoothed; none if it was read from a file or mixed.
  public let smoothing: [LanguageModelSmoothing]
  /// By the length of the chains; there is at least one, with an entry for each word.
  let levels: [NGramLevel]
  let numbers: [String: UInt32]
  let unknownWord: UInt32?
  let startWord: UInt32?
  let endWord: UInt32?

  /// The length of the longest chains that it knows.
  public var order: Int { levels.count }

  /// How many chains of each length it knows, beginning with single words.
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

  /// Whether it is one of the model's words rather than a mark.
  static func isSpoken(_ word: String) -> Bool {
    word.first.map { !"<[+(".contains($0) } ?? false
  }

  /// The words without its marks: those that a dictionary has to have.
  public var spokenWords: [String] { words.filter(Self.isSpoken) }

  /// The logarithm to base ten of how likely the word comes behind those; `nil` for a word that it does not
  /// know.
  ///
  /// - Parameter context: the words before, the last one nearest; `<s>` is the sentence's beginning.
  public func logProbability(of word: String, after context: [String] = []) -> Double? {
    guard let number = numbers[word] else { return nil }
    let before = context.suffix(order - 1).map { numbers[$0] ?? unknownWord }
    // What it does not know nobody follows.
    let known = before.reversed().prefix { $0 != nil }.compactMap { $0 }.reversed()
    let key = known.reduce(NGramKey(0)) { $0.followed(by: $1) }
    return logProbability(of: number, after: key, length: known.count)
  }

  /// The same by numbers.
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

/// The chains of one length, sorted.
struct NGramLevel: Sendable {
  var keys: [NGramKey] = []
  /// To base ten.
  var logProbabilities: [Float] = []
  /// What is added to a shorter chain's logarithm where a longer one that begins so is not known.
  var backOffs: [Float] = []

  /// Stands for the logarithm of nothing, as in files.
  static let never: Float = -99

  /// Single words are where their number says.
  func place(of key: NGramKey) -> Int? {
    if key < NGramKey(keys.count), keys[Int(key)] == key { return Int(key) }
    return keys.place(of: key)
  }

  /// The logarithm, kept within what files hold.
  static func log(_ probability: Double) -> Float {
    probability > 0 ? max(Float(log10(probability)), never) : never
  }

  static func probability(_ log: Float) -> Double { log <= never ? 0 : pow(10, Double(log)) }
}

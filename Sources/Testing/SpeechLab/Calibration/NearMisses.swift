import SpeechConcurrency

/// Sentences that are nearly those of a grammar: with a wrong, a missing or an additional word.
///
/// ```swift
/// let nearly = NearMisses(grammar, seed: 1).sentences(30, of: commands)
/// ```
public struct NearMisses: Sendable {
  private let grammar: TestedGrammar
  private let seed: UInt64

  /// Creates near misses of a grammar. Equal seeds give equal sentences.
  public init(_ grammar: TestedGrammar, seed: UInt64) {
    self.grammar = grammar
    self.seed = seed
  }

  /// Returns near misses of the given sentences, none of which the grammar allows. There are fewer
  /// than asked for if hardly any exist.
  public func sentences(_ count: Int, of commands: [String]) -> [String] {
    guard !commands.isEmpty else { return [] }
    var random = SeededNumbers(seed: seed, part: "near misses")
    let own = commands.flatMap { $0.split(separator: " ").map(String.init) }.uniqued()
    let others = OrdinaryEnglish.sentences.flatMap { $0.split(separator: " ").map(String.init) }
      .uniqued()
    var made: [String] = []
    var attempts = 0
    while made.count < count, attempts < 50 * count {
      attempts += 1
      var words = commands[random.next(commands.count)].split(separator: " ").map(String.init)
      let place = random.next(words.count)
      let source = random.next(2) == 0 ? own : others
      let word = source[random.next(source.count)]
      switch random.next(3) {
      case 0: words[place] = word
      case 1 where words.count > 1: words.remove(at: place)
      default: words.insert(word, at: place)
      }
      let line = words.joined(separator: " ")
      if grammar.matcher.match(line) == nil, !made.contains(line) { made.append(line) }
    }
    return made
  }
}

import SpeechConcurrency

/// A line that is no sentence of a grammar.
public struct OtherSpeech: Sendable, Hashable, Codable {
  /// The kind of the line.
  public var kind: RejectionCurve.Kind
  /// The words of the line.
  public var text: String

  /// Creates a line of the given kind.
  public init(_ kind: RejectionCurve.Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

extension TestedGrammar {
  /// Returns speech that the grammar does not allow: everyday English, commands of other programs,
  /// and near misses of the given commands. Equal seeds give equal lines.
  ///
  /// - Parameter limit: The maximum number of lines of each kind.
  public func otherSpeech(_ limit: Int, near commands: [String], seed: UInt64) -> [OtherSpeech] {
    var random = SeededNumbers(seed: seed, part: "other speech")
    func others(_ kind: RejectionCurve.Kind, of all: [String]) -> [OtherSpeech] {
      all.filter { matcher.match($0) == nil }.shuffled(using: &random).prefix(limit)
        .map { OtherSpeech(kind, $0) }
    }
    return others(.ordinary, of: OrdinaryEnglish.sentences)
      + others(.otherCommand, of: OrdinaryEnglish.commands)
      + nearMisses(limit, of: commands, seed: seed).map { OtherSpeech(.nearMiss, $0) }
  }

  /// Returns sentences that are nearly the given ones: with a wrong, a missing or an additional
  /// word. The grammar allows none of them. There are fewer than asked for if hardly any exist.
  func nearMisses(_ count: Int, of commands: [String], seed: UInt64) -> [String] {
    guard !commands.isEmpty else { return [] }
    func words(_ lines: [String]) -> [String] {
      lines.flatMap { $0.split(separator: " ").map(String.init) }.uniqued()
    }
    var random = SeededNumbers(seed: seed, part: "near misses")
    let (own, others) = (words(commands), words(OrdinaryEnglish.sentences))
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
      if matcher.match(line) == nil, !made.contains(line) { made.append(line) }
    }
    return made
  }
}

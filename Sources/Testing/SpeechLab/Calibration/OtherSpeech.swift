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
      + NearMisses(self, seed: seed).sentences(limit, of: commands).map {
        OtherSpeech(.nearMiss, $0)
      }
  }
}

import SpeechConcurrency

/// A line that is none of a grammar's sentences.
public struct OtherSpeech: Sendable, Hashable, Codable {
  /// Of which kind it is.
  public var kind: RejectionCurve.Kind
  /// The line.
  public var text: String

  /// A line of that kind.
  public init(_ kind: RejectionCurve.Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

extension TestedGrammar {
  /// What people say that the grammar does not allow: everyday English, commands of other programs, and what
  /// comes near these sentences. The same for the same seed.
  ///
  /// - Parameter limit: how many lines of each kind at most.
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

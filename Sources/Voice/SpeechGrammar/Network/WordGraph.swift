/// A grammar as states joined by words, in the form that recognisers search.
///
/// A transition without a word leads to a state whose words are those of its own state as well, so
/// that states need not repeat them. These transitions are complete: wherever two lead somewhere,
/// one does.
package struct WordGraph: Sendable, Equatable {
  package struct Transition: Sendable, Equatable {
    package var from: Int32
    package var to: Int32
    /// The index of the word; -1 if there is none.
    package var word: Int32
    /// The logarithm of the weight in millionths; at most 0.
    package var weight: Int32
  }

  package internal(set) var words: [String] = []
  package internal(set) var stateCount = 0
  /// The state in which a sentence begins.
  package let start: Int32 = 0
  /// The state in which a sentence may end.
  package internal(set) var end: Int32 = 0
  package internal(set) var transitions: [Transition] = []

  /// The number of ways to continue before each word of a sentence, one of which may be to end it;
  /// at least 1.
  package func choices(along sentence: [String]) -> [Int] {
    var states = rested([start])
    return sentence.map { spoken in
      var next: Set<Int32> = []
      var allowed: Set<Int32> = []
      for step in transitions where step.word >= 0 && states[Int(step.from)] {
        allowed.insert(step.word)
        if words[Int(step.word)] == spoken { next.insert(step.to) }
      }
      let mayEnd = states[Int(end)]
      states = rested(next)
      return max(allowed.count + (mayEnd ? 1 : 0), 1)
    }
  }

  /// The sentence of these words as the grammar spells it, regardless of letter case; `nil` if it
  /// is none of the grammar's.
  package func sentence(of spoken: [String]) -> [String]? {
    var states = rested([start])
    var sentence: [String] = []
    for word in spoken.map(WrittenWord.key) {
      let steps = transitions.filter { step in
        step.word >= 0 && states[Int(step.from)]
          && WrittenWord.key(words[Int(step.word)]) == word
      }
      guard let first = steps.first else { return nil }
      sentence.append(words[Int(first.word)])
      states = rested(Set(steps.map(\.to)))
    }
    return states[Int(end)] ? sentence : nil
  }

  /// Marks these states and those that they reach without a word.
  private func rested(_ own: Set<Int32>) -> [Bool] {
    var states = [Bool](repeating: false, count: stateCount)
    for state in own { states[Int(state)] = true }
    for step in transitions where step.word < 0 && own.contains(step.from) {
      states[Int(step.to)] = true
    }
    return states
  }

  /// The same graph with other spellings of some words.
  package func spelled(as spellings: [String: String]) -> WordGraph {
    var graph = self
    graph.words = words.map { spellings[$0, default: $0] }
    return graph
  }
}

extension JSGFGrammar {
  /// The sentences as a graph.
  ///
  /// - Throws: `GrammarDiagnostic`, without a position, if no recogniser could load it.
  package func wordGraph() throws(GrammarDiagnostic) -> WordGraph {
    try WordGraphBuilder(NetworkCompiler.network(ofChecked: CommandGrammar(self))).built()
  }
}

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

import CPocketSphinx
import SpeechCore
import SpeechGrammar

extension PocketSphinxHandle {
  /// Recognises the sentences of a graph, whose words are those of the dictionary, with all their
  /// pronunciations.
  func use(grammar: WordGraph) throws(SpeechRecognitionError) {
    var words = grammar.words
    // Further pronunciations are words of the dictionary, beside the word that they belong to.
    var others: [[Int32]] = []
    for word in grammar.words {
      let count = pronunciations(of: word).count
      let first = Int32(words.count)
      if count > 1 { words += (2...count).map { "\(word)(\($0))" } }
      others.append(Array(first..<Int32(words.count)))
    }
    var transitions: [skps_transition] = []
    transitions.reserveCapacity(grammar.transitions.count)
    for transition in grammar.transitions {
      let own = transition.word < 0 ? [] : others[Int(transition.word)]
      for word in [transition.word] + own {
        transitions.append(
          skps_transition(
            from: transition.from, to: transition.to, word: word, weight: transition.weight))
      }
    }
    let spellings = CStringList(words)
    let alternatives = words.count - grammar.words.count
    try check("take the grammar") { decoder in
      skps_use_grammar(
        decoder, Int32(grammar.stateCount), grammar.end, Int32(words.count), Int32(alternatives),
        spellings.constantPointer, transitions, Int32(transitions.count))
    }
  }
}

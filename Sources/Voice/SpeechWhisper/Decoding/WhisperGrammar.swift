import CWhisper
import SpeechGrammar

/// The sentences of a grammar, to which a decoding is limited.
///
/// The library takes rules over characters. Each state of the grammar's graph becomes two of them:
/// its own words, each with the rule of the state that follows; and these together with the words
/// of the states that it reaches without one. The model may write capital letters, and a sign after
/// each word.
struct WhisperGrammar: Sendable {
  private let graph: WordGraph
  /// The rules, one after the other.
  private var elements: [whisper_grammar_element] = []
  /// The first element of each rule.
  private var starts: [Int] = []

  /// How much less probable text outside the grammar is taken to be: a logarithm that no text
  /// makes up for.
  private static let penalty: Float = 100

  init(_ grammar: JSGFGrammar) throws(GrammarDiagnostic) {
    graph = try grammar.wordGraph()
    var own = [[WordGraph.Transition]](repeating: [], count: graph.stateCount)
    var silent = [[Int32]](repeating: [], count: graph.stateCount)
    for step in graph.transitions {
      if step.word >= 0 {
        own[Int(step.from)].append(step)
      } else {
        silent[Int(step.from)].append(step.to)
      }
    }
    addRule([Self.signs, []])
    for state in 0..<Int32(graph.stateCount) {
      addRule(
        own[Int(state)].map { step in
          Self.characters(of: graph.words[Int(step.word)])
            + [Self.rule(0), Self.rule(Self.continuations(of: step.to))]
        })
      let reached = [state] + silent[Int(state)]
      let words = reached.filter { !own[Int($0)].isEmpty }.map { [Self.rule(Self.words(of: $0))] }
      addRule(words + (reached.contains(graph.end) ? [[]] : []))
    }
  }

  private static func words(of state: Int32) -> UInt32 { UInt32(1 + 2 * state) }

  private static func continuations(of state: Int32) -> UInt32 { UInt32(2 + 2 * state) }

  private static func rule(_ number: UInt32) -> whisper_grammar_element {
    whisper_grammar_element(type: ElementType.rule.rawValue, value: number)
  }

  private static func character(
    _ scalar: Unicode.Scalar, isOther: Bool = false
  ) -> whisper_grammar_element {
    let type: ElementType = isOther ? .otherCharacter : .character
    return whisper_grammar_element(type: type.rawValue, value: scalar.value)
  }

  /// One of the signs that the model writes after a word.
  private static let signs: [whisper_grammar_element] =
    [character(",")] + [".", "?", "!"].map { character($0, isOther: true) }

  /// A blank and a word, in capital or small letters.
  private static func characters(of word: String) -> [whisper_grammar_element] {
    [character(" ")]
      + word.unicodeScalars.flatMap { scalar -> [whisper_grammar_element] in
        let properties = scalar.properties
        let others = [properties.lowercaseMapping, properties.uppercaseMapping]
          .map { Array($0.unicodeScalars) }.filter { $0.count == 1 && $0[0] != scalar }
        return [character(scalar)] + others.map { character($0[0], isOther: true) }
      }
  }

  private mutating func addRule(_ alternatives: [[whisper_grammar_element]]) {
    starts.append(elements.count)
    let alternative = whisper_grammar_element(type: ElementType.alternative.rawValue, value: 0)
    elements += alternatives.joined(separator: [alternative])
    elements.append(whisper_grammar_element(type: ElementType.end.rawValue, value: 0))
  }

  /// Limits a decoding to the grammar. The settings are valid until the body returns.
  func limit<Result>(
    _ settings: inout whisper_full_params, _ body: (whisper_full_params) -> Result
  ) -> Result {
    elements.withUnsafeBufferPointer { elements in
      var rules = starts.map { elements.baseAddress?.advanced(by: $0) }
      return rules.withUnsafeMutableBufferPointer { rules in
        settings.grammar_rules = rules.baseAddress
        settings.n_grammar_rules = rules.count
        settings.i_start_rule = Int(Self.continuations(of: graph.start))
        settings.grammar_penalty = Self.penalty
        return body(settings)
      }
    }
  }

  /// The sentence of these words as the grammar spells it; `nil` if it is none.
  func sentence(of words: [String]) -> [String]? { graph.sentence(of: words) }

  /// The types of the library's elements.
  private enum ElementType: CInt {
    case end = 0
    case alternative = 1
    case rule = 2
    case character = 3
    case otherCharacter = 6
  }
}

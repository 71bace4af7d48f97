/// Determines the phrases that may be spoken without a word.
///
/// Rules that lead back to themselves before a word are rejected elsewhere; until then such a use
/// counts as not silent, so that the search ends.
struct Silence {
  private let rules: [String: Phrase]
  private var known: [String: Bool] = [:]

  init(_ rules: [String: Phrase]) {
    self.rules = rules
  }

  /// True if the phrase may be spoken without a word.
  func isPossible(in phrase: Phrase) -> Bool {
    var search = self
    return search.isSilent(phrase, depth: 0)
  }

  mutating func isSilent(_ phrase: Phrase, depth: Int = 0) -> Bool {
    // Deeper grammars are rejected.
    guard depth <= 2 * CommandGrammarLimits.depth else { return false }
    switch phrase {
    case .word, .never: return false
    // Slots with empty values are rejected.
    case .slot: return false
    case .rule(let name):
      if let answer = known[name] { return answer }
      known[name] = false
      let answer = rules[name].map { isSilent($0, depth: depth + 1) } ?? false
      known[name] = answer
      return answer
    case .sequence(let parts):
      for part in parts where !isSilent(part, depth: depth + 1) { return false }
      return true
    case .choice(let parts):
      for part in parts where part.weight != 0 && isSilent(part.phrase, depth: depth + 1) {
        return true
      }
      return false
    case .optional: return true
    case .repeated(let part, let minimum, _):
      return minimum == 0 || isSilent(part, depth: depth + 1)
    case .tagged(let part, _): return isSilent(part, depth: depth + 1)
    }
  }

  /// The phrase of a repetition without its silent alternatives, which would make a cycle without a
  /// word.
  mutating func spoken(_ phrase: Phrase) -> Phrase {
    guard isSilent(phrase) else { return phrase }
    switch phrase {
    case .word, .slot, .never: return phrase
    case .rule(let name): return rules[name].map { spoken($0) } ?? .never
    case .sequence(let parts): return .either(parts.map { spoken($0) })
    case .choice(let parts):
      return .choice(parts.map { Phrase.Alternative(spoken($0.phrase), weight: $0.weight) })
    case .optional(let part), .repeated(let part, _, _): return spoken(part)
    case .tagged(let part, let tags): return .tagged(spoken(part), tags)
    }
  }
}

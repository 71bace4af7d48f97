import Foundation

/// Writes a checked grammar for PocketSphinx, without tags and comments, with numbered rules, and
/// with all public rules reachable from the start rule, so that nothing it might misread reaches
/// it.
struct JSGFWriter {
  private let grammar: JSGFGrammar
  private let numbers: [String: Int]

  /// The dictionary's spellings of words, where they differ.
  private let spellings: [String: String]

  init(_ grammar: JSGFGrammar, spellings: [String: String] = [:]) {
    self.grammar = grammar
    self.spellings = spellings
    numbers = Dictionary(
      grammar.rules.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  var text: String {
    let starts = grammar.rules.filter(\.isPublic).map { "<\(ruleName($0.name))>" }
    var lines = [
      "#JSGF V1.0;", "grammar g;", "public <start> = \(starts.joined(separator: " | "));",
    ]
    for rule in grammar.rules {
      lines.append("<\(ruleName(rule.name))> = \(written(rule.phrase));")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func ruleName(_ name: String) -> String { "r\(numbers[name, default: 0])" }

  private func written(_ phrase: Phrase) -> String {
    switch phrase {
    case .word(let word): spellings[word, default: word]
    case .rule(let name): "<\(ruleName(name))>"
    case .sequence([]): "<NULL>"
    case .sequence(let parts): parts.map(written).joined(separator: " ").inParentheses
    case .choice(let parts): written(parts).inParentheses
    case .optional(let part): "[ \(written(part)) ]"
    case .repeated(let part, let minimum, nil) where minimum < 2:
      written(part).inParentheses + (minimum > 0 ? "+" : "*")
    case .repeated: written(phrase.unfolded)
    case .tagged(let part, _): written(part)
    // A checked grammar has rules instead of slots.
    case .never, .slot: "<VOID>"
    }
  }

  private func written(_ alternatives: [Phrase.Alternative]) -> String {
    let possible = alternatives.filter(\.isPossible)
    guard !possible.isEmpty else { return "<VOID>" }
    let isWeighted = possible.contains { $0.weight != nil }
    return possible.map { alternative in
      // Once one alternative has a weight, all need one; the default is 1. PocketSphinx reads no
      // exponents.
      let weight = max(alternative.weight ?? 1, 0.000001)
      return (isWeighted ? String(format: "/%.6f/ ", weight) : "") + written(alternative.phrase)
    }.joined(separator: " | ")
  }
}

extension Phrase {
  /// A repetition without counts, which JSGF does not have; other phrases as they are.
  var unfolded: Phrase {
    guard case .repeated(let part, let minimum, let maximum) = self else { return self }
    guard let maximum else {
      if minimum < 2 { return self }
      return .sequence(
        Array(repeating: part, count: minimum - 1) + [.repeated(part, minimum: 1, maximum: nil)])
    }
    var rest: Phrase?
    for _ in minimum..<max(maximum, minimum) {
      rest = .optional(rest.map { .sequence([part, $0]) } ?? part)
    }
    let all = Array(repeating: part, count: minimum) + (rest.map { [$0] } ?? [])
    return all.count == 1 ? all[0] : .sequence(all)
  }
}

extension String {
  fileprivate var inParentheses: String { "( \(self) )" }
}

import Foundation

extension JSGFGrammar {
  /// The text of a checked grammar for recognisers: without tags and comments, with numbered
  /// rules, and with all public rules reachable from the start rule, so that nothing it might
  /// misread reaches it.
  package func written() -> String {
    let numbers = Dictionary(
      rules.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { _, last in last })
    let writer = JSGFWriter(numbers: numbers)
    let starts = rules.filter(\.isPublic).map { writer.written(.rule($0.name)) }
    let lines =
      ["#JSGF V1.0;", "grammar g;", "public <start> = \(starts.joined(separator: " | "));"]
      + rules.map { "\(writer.written(.rule($0.name))) = \(writer.written($0.phrase));" }
    return lines.joined(separator: "\n") + "\n"
  }
}

private struct JSGFWriter {
  let numbers: [String: Int]

  func written(_ phrase: Phrase) -> String {
    switch phrase {
    case .word(let word): word
    case .rule(let name): "<r\(numbers[name, default: 0])>"
    case .sequence([]): "<NULL>"
    case .sequence(let parts): parts.map { written($0) }.joined(separator: " ").inParentheses
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
    return all.count == 1 ? all[0].unfolded : .sequence(all)
  }
}

extension String {
  fileprivate var inParentheses: String { "( \(self) )" }
}

/// The ways in which the phrases of a grammar can be completed: without a word, or with one.
struct SpeechForms {
  private let rules: [String: Phrase]
  private var nullable: Set<String> = []
  private var wordy: Set<String> = []

  /// Grows both sets of rules until nothing is added, and visits again only the users of rules that
  /// were added.
  init(_ rules: [String: Phrase]) {
    self.rules = rules
    var users: [String: [String]] = [:]
    for (name, phrase) in rules {
      for used in Set(phrase.usedRules) { users[used, default: []].append(name) }
    }
    var waiting = Array(rules.keys)
    while let name = waiting.popLast() {
      guard let found = rules[name].map({ forms(of: $0) }) else { continue }
      let isNew = found.isNullable && nullable.insert(name).inserted
      if found.isWordy && wordy.insert(name).inserted || isNew { waiting += users[name] ?? [] }
    }
  }

  /// Returns whether the phrase can be spoken without a word, and whether with one. Both at once,
  /// since asking again at each level would take exponential time with deeply nested groups.
  func forms(of phrase: Phrase) -> (isNullable: Bool, isWordy: Bool) {
    switch phrase {
    case .word, .slot: return (false, true)
    case .never: return (false, false)
    case .rule(let name): return (nullable.contains(name), wordy.contains(name))
    case .sequence(let parts):
      let parts = parts.map { forms(of: $0) }
      return (
        parts.allSatisfy(\.isNullable),
        parts.allSatisfy { $0.isNullable || $0.isWordy } && parts.contains(where: \.isWordy)
      )
    case .choice(let parts):
      let parts = parts.filter(\.isPossible).map { forms(of: $0.phrase) }
      return (parts.contains(where: \.isNullable), parts.contains(where: \.isWordy))
    case .optional(let part): return (true, forms(of: part).isWordy)
    case .repeated(let part, let minimum, _):
      let part = forms(of: part)
      return (minimum == 0 || part.isNullable, part.isWordy)
    case .tagged(let part, _): return forms(of: part)
    }
  }

  /// The phrase of a repetition without its silent alternatives, which would make a cycle without a
  /// word.
  func spoken(_ phrase: Phrase) -> Phrase {
    guard forms(of: phrase).isNullable else { return phrase }
    switch phrase {
    case .word, .slot, .never: return phrase
    case .rule(let name): return rules[name].map { spoken($0) } ?? .never
    case .sequence(let parts): return .either(parts.map { spoken($0) })
    case .optional(let part), .repeated(let part, _, _): return spoken(part)
    case .choice, .tagged: return phrase.mapParts { spoken($0) }
    }
  }
}

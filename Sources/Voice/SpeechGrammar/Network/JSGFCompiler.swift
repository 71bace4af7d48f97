/// Compiles a grammar to JSGF, unless it has errors.
struct JSGFCompiler {
  /// The part of the grammar that has an error.
  enum Part: Hashable {
    case intent(String)
    case rule(String)
  }

  private let grammar: CommandGrammar

  init(_ grammar: CommandGrammar) {
    self.grammar = grammar
  }

  func checked() throws(CommandGrammarError) -> JSGFGrammar {
    let (compiled, problems) = compile()
    guard problems.isEmpty else {
      throw CommandGrammarError(problems.map { GrammarDiagnostic($0.kind) })
    }
    return compiled
  }

  /// The compiled grammar, which is not usable if there are errors.
  func compile() -> (JSGFGrammar, problems: [CommandGrammarChecker.Finding]) {
    let findings = CommandGrammarChecker(grammar).findings
    let empty = JSGFGrammar(name: grammar.name, rules: [])
    guard findings.isEmpty else { return (empty, findings) }
    var writer = RuleWriter(language: grammar.language)
    let isWeighted = grammar.intents.contains { $0.weight != nil }
    if isWeighted {
      let alternatives = grammar.intents.map {
        Phrase.Alternative(.rule($0.name), weight: $0.weight)
      }
      writer.add("commands of all kinds", isPublic: true, .choice(alternatives))
    }
    for intent in grammar.intents {
      writer.add(intent.name, isPublic: !isWeighted, writer.lowered(intent.phrase))
    }
    for rule in grammar.rules {
      writer.add(RuleWriter.name(ofRule: rule.name), writer.lowered(rule.phrase))
    }
    let compiled = JSGFGrammar(name: grammar.name, rules: writer.rules)
    var problems = JSGFChecker(compiled).problems.prefix(CommandGrammarChecker.Limits.problems).map
    { finding($0) }
    if problems.isEmpty,
      let deep = writer.rules.first(where: { $0.phrase.depth > JSGFLimits.depth - 5 })
    {
      let part = part(ofRule: deep.name)
      problems.append(
        .init(.tooLarge("groups are nested deeper than \(JSGFLimits.depth - 5)"), part))
    }
    return (compiled, problems)
  }

  // MARK: - Problems

  private func part(ofRule name: String) -> Part? {
    if grammar.intents.contains(where: { $0.name == name }) { return .intent(name) }
    return grammar.rules.first { RuleWriter.name(ofRule: $0.name) == name }.map { .rule($0.name) }
  }

  private func finding(_ error: JSGFError) -> CommandGrammarChecker.Finding {
    func named(
      _ name: String, _ kind: (String) -> GrammarDiagnostic.Kind
    ) -> CommandGrammarChecker.Finding {
      let part = part(ofRule: name)
      return switch part {
      case .intent(let name): .init(kind("the intent \(name)"), part)
      case .rule(let name): .init(kind("the rule <\(name)>"), part)
      case nil: .init(kind("one of the slots"), nil)
      }
    }
    return switch error.kind {
    case .recursiveRule(let name): named(name) { .recursion($0) }
    case .unspeakableRule(let name): named(name) { .unspeakable($0) }
    case .wordlessRule(let name): named(name) { .wordless($0) }
    case .duplicateRule(let name): named(name) { .duplicate($0) }
    default: .init(error.kind, nil)
    }
  }
}

/// Collects the rules of a grammar in JSGF. Slots of the same type share a rule.
private struct RuleWriter {
  static func name(ofRule name: String) -> String { "rule \(name)" }

  private let language: GrammarLanguage
  private(set) var rules: [JSGFGrammar.Rule] = []
  private var slots: [SlotType: String] = [:]

  init(language: GrammarLanguage) {
    self.language = language
  }

  mutating func add(_ name: String, isPublic: Bool = false, _ phrase: Phrase) {
    rules.append(JSGFGrammar.Rule(name: name, isPublic: isPublic, phrase: phrase))
  }

  /// The phrase as JSGF has it: with rules instead of slots, and without counts of repetitions.
  mutating func lowered(_ phrase: Phrase) -> Phrase {
    switch phrase {
    case .rule(let name): .rule(Self.name(ofRule: name))
    case .slot(_, let type): .rule(slot(type))
    case .repeated(let part, let minimum, let maximum): repeated(lowered(part), minimum, maximum)
    default: phrase.mapParts { lowered($0) }
    }
  }

  private func repeated(_ part: Phrase, _ minimum: Int, _ maximum: Int?) -> Phrase {
    guard let maximum else {
      if minimum < 2 { return .repeated(part, minimum: minimum, maximum: nil) }
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

  private mutating func slot(_ type: SlotType) -> String {
    if let name = slots[type] { return name }
    let name = "slot \(slots.count + 1)"
    slots[type] = name
    add(name, lowered(type.phrase(in: language)))
    return name
  }
}

extension SlotType {
  /// The phrase of the slot, each value with its code as a tag.
  func phrase(in language: GrammarLanguage) -> Phrase {
    guard case .values(let values) = self else { return language.spoken.phrase(for: self) }
    return .either(
      values.map { Phrase.Alternative(.tagged($0.phrase, [$0.code]), weight: $0.weight) })
  }
}

extension Phrase {
  /// The depth of nested groups in the written form.
  fileprivate var depth: Int { parts.map { 1 + $0.depth }.max() ?? 0 }
}

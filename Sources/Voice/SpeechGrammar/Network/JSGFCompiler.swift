/// Compiles a grammar to JSGF, unless it has errors.
struct JSGFCompiler {
  /// The part of the grammar that has an error.
  enum Part: Hashable {
    case intent(String)
    case rule(String)

    var inWords: String {
      switch self {
      case .intent(let name): "the intent \(name)"
      case .rule(let name): "the rule <\(name)>"
      }
    }
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
    let checker = JSGFChecker(compiled, intents: grammar.intents.map(\.name))
    var problems = checker.problems.prefix(CommandGrammarLimits.problems).map { finding($0) }
    let limit = JSGFLimits.depth - 5
    if problems.isEmpty, let deep = writer.rules.first(where: { $0.phrase.depth > limit }) {
      let what = GrammarDiagnostic.Kind.tooLarge("groups are nested deeper than \(limit)")
      problems.append((what, part(ofRule: deep.name)))
    }
    return (compiled, problems)
  }

  // MARK: - Diagnostics

  private func part(ofRule name: String) -> Part? {
    if grammar.intents.contains(where: { $0.name == name }) { return .intent(name) }
    return grammar.rules.first { RuleWriter.name(ofRule: $0.name) == name }.map { .rule($0.name) }
  }

  private func finding(_ problem: JSGFChecker.Finding) -> CommandGrammarChecker.Finding {
    let part = problem.rule.flatMap { self.part(ofRule: $0) }
    let what = part?.inWords ?? "one of the slots"
    let kind: GrammarDiagnostic.Kind =
      switch problem.diagnostic.kind {
      case .recursiveRule: .recursion(what)
      case .unspeakableRule: .unspeakable(what)
      case .wordlessRule: .wordless(what)
      case .duplicateRule: .duplicate(what)
      case let kind: kind
      }
    return (kind, part)
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

  /// The phrase with rules instead of slots, which JSGF does not have.
  mutating func lowered(_ phrase: Phrase) -> Phrase {
    switch phrase {
    case .rule(let name): .rule(Self.name(ofRule: name))
    case .slot(_, let type): .rule(slot(type))
    default: phrase.mapParts { lowered($0) }
    }
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
  fileprivate var depth: Int { unfolded.parts.map { 1 + $0.depth }.max() ?? 0 }
}

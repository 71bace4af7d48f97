/// Finds rules that PocketSphinx would accept and then recognise nothing with, or crash on.
struct JSGFChecker {
  /// An error, and the rule that has it.
  typealias Finding = (diagnostic: GrammarDiagnostic, rule: String?)

  private let grammar: JSGFGrammar
  /// The rules of the intents, if the grammar was compiled from commands.
  private let intents: [String]?
  private var rules: [String: JSGFGrammar.Rule] = [:]
  private var speech = SpeechForms([:])
  private var measures: [String: Measure] = [:]
  private var found: [Finding] = []

  init(_ grammar: JSGFGrammar, intents: [String]? = nil) {
    self.grammar = grammar
    self.intents = intents
  }

  /// All errors. Checks that build on sound names run once those are sound.
  var problems: [Finding] {
    var checker = self
    checker.checkNames()
    guard checker.found.isEmpty else { return checker.found }
    checker.checkSize()
    guard checker.found.isEmpty else { return checker.found }
    checker.speech = SpeechForms(checker.rules.mapValues(\.phrase))
    checker.checkSpeakable()
    checker.checkRecursion()
    guard checker.found.isEmpty else { return checker.found }
    checker.checkGraph()
    return checker.found
  }

  private mutating func report(
    _ kind: GrammarDiagnostic.Kind, at position: TextPosition? = nil, in rule: JSGFGrammar.Rule?
  ) {
    let diagnostic = GrammarDiagnostic(kind, at: position ?? rule?.position, in: rule?.file)
    found.append((diagnostic, rule?.name))
  }

  // MARK: - Names

  private mutating func checkNames() {
    for rule in grammar.rules {
      if rules[rule.name] == nil {
        rules[rule.name] = rule
      } else {
        report(.duplicateRule(rule.name), in: rule)
      }
    }
    for rule in grammar.rules {
      for name in rule.phrase.usedRules where rules[name] == nil {
        let use = rule.uses.first { $0.text == name }
        report(.undefinedRule(name), at: use?.position, in: rule)
      }
    }
    if !grammar.rules.contains(where: \.isPublic) {
      report(.noPublicRule, in: grammar.rules.first)
    }
  }

  // MARK: - What can be said

  private mutating func checkSpeakable() {
    for rule in grammar.rules where rule.isPublic {
      switch speech.forms(of: rule.phrase) {
      case (_, isWordy: true): break
      case (isNullable: true, _): report(.wordlessRule(rule.name), in: rule)
      default: report(.unspeakableRule(rule.name), in: rule)
      }
    }
  }

  // MARK: - Recursion

  /// The use of a rule in another one.
  private struct Use {
    var name: String
    /// True if nothing follows, so that recursion needs no stack.
    var isLast: Bool
    /// True if no word has to precede it, so that recursion may be endless.
    var mayBeFirst: Bool
  }

  private mutating func checkRecursion() {
    var uses: [String: [Use]] = [:]
    for rule in grammar.rules {
      var found: [Use] = []
      collectUses(in: rule.phrase, isLast: true, mayBeFirst: true, into: &found)
      uses[rule.name] = found
    }
    let names = grammar.rules.map(\.name)
    let circles = StronglyConnectedComponents(of: names, edges: uses.mapValues { $0.map(\.name) })
    let silent = StronglyConnectedComponents(
      of: names, edges: uses.mapValues { $0.filter(\.mayBeFirst).map(\.name) })
    for rule in grammar.rules {
      let isRecursive = (uses[rule.name] ?? []).contains { use in
        !use.isLast && circles.areInOneCircle(rule.name, use.name)
          || use.mayBeFirst && silent.areInOneCircle(rule.name, use.name)
      }
      if isRecursive { report(.recursiveRule(rule.name), in: rule) }
    }
  }

  private func collectUses(
    in phrase: Phrase, isLast: Bool, mayBeFirst: Bool, into uses: inout [Use]
  ) {
    switch phrase {
    case .rule(let name):
      uses.append(Use(name: name, isLast: isLast, mayBeFirst: mayBeFirst))
    case .sequence(let parts):
      var first = mayBeFirst
      for (index, part) in parts.enumerated() {
        collectUses(
          in: part, isLast: isLast && index == parts.count - 1, mayBeFirst: first, into: &uses)
        first = first && speech.forms(of: part).isNullable
      }
    case .repeated(let part, _, let maximum):
      collectUses(
        in: part, isLast: isLast && maximum == 1, mayBeFirst: mayBeFirst, into: &uses)
    case .word, .slot, .never, .choice, .optional, .tagged:
      for part in phrase.parts {
        collectUses(in: part, isLast: isLast, mayBeFirst: mayBeFirst, into: &uses)
      }
    }
  }

  // MARK: - The graph of the sentences

  private mutating func checkGraph() {
    var candidates = grammar.rules.filter(\.isPublic)
    guard let kind = graphError(of: candidates) else { return }
    // The place of the error is the innermost rule that has it by itself.
    var place = candidates.first
    var seen: Set<String> = []
    while let rule = candidates.first(where: { graphError(of: [$0]) != nil }) {
      place = rule
      candidates = rule.phrase.usedRules.filter { seen.insert($0).inserted }
        .compactMap { rules[$0] }
    }
    report(kind, in: place)
  }

  /// The error of a graph of the sentences of these rules, if it has one.
  private func graphError(of starts: [JSGFGrammar.Rule]) -> GrammarDiagnostic.Kind? {
    var part = grammar
    for index in part.rules.indices {
      part.rules[index].isPublic = starts.contains { $0.name == part.rules[index].name }
    }
    do throws(GrammarDiagnostic) {
      _ = try part.wordGraph()
      return nil
    } catch {
      return error.kind
    }
  }

  // MARK: - Size

  private struct Measure {
    /// The number of words when every rule and every repetition is expanded.
    var size = 0
    /// The depth of nested phrases, including those of the rules that they use.
    var depth = 0
    /// The depth of rules that use rules.
    var ruleDepth = 0
  }

  /// PocketSphinx expands each use of a rule, so that a small text may become a huge grammar.
  private mutating func checkSize() {
    for rule in grammar.rules { measure(rule.name) }
    let limit = JSGFLimits.writtenOutWords
    let starts = intents ?? grammar.rules.filter(\.isPublic).map(\.name)
    let maximum = CommandGrammarLimits.depth
    if let deep = starts.first(where: { measures[$0, default: Measure()].depth > maximum }) {
      return report(
        .tooLarge("phrases and rules are nested deeper than \(maximum)"), in: rules[deep])
    }
    if let deep = grammar.rules.first(where: { rule in
      measures[rule.name, default: Measure()].ruleDepth > JSGFLimits.ruleDepth
    }) {
      report(.tooLarge("rules use rules deeper than \(JSGFLimits.ruleDepth)"), in: deep)
    }
    var total = 0
    for name in starts {
      total += measures[name, default: Measure()].size
      guard total > limit else { continue }
      let kind: GrammarDiagnostic.Kind =
        intents == nil
        ? .tooLarge("written out it has more than \(limit) words")
        : CommandGrammarLimits.tooManyWords
      return report(kind, in: rules[name])
    }
  }

  /// Measures a rule after all the rules that it uses, without recursion, because chains may be
  /// long.
  private mutating func measure(_ name: String) {
    var stack = [(name: name, isOpen: false)]
    var open: Set<String> = []
    while let top = stack.popLast() {
      guard measures[top.name] == nil, let rule = rules[top.name] else { continue }
      if top.isOpen {
        var measure = measure(rule.phrase)
        measure.ruleDepth += 1
        measures[top.name] = measure
      } else if open.insert(top.name).inserted {
        stack.append((top.name, true))
        for name in rule.phrase.usedRules where measures[name] == nil && !open.contains(name) {
          stack.append((name, false))
        }
      }
    }
  }

  private func measure(_ phrase: Phrase) -> Measure {
    let most = JSGFLimits.writtenOutWords + 1
    var sum = Measure()
    switch phrase {
    case .rule(let name):
      // A rule that is not measured leads back to here; PocketSphinx makes a loop of it.
      sum = measures[name] ?? sum
      sum.size = min(sum.size + 1, most)
    case .repeated(let part, let minimum, let maximum):
      sum = measure(part)
      let count = max(maximum ?? minimum, 1)
      sum.size = min(sum.size * count, most)
      sum.depth += count
    default:
      for part in phrase.parts {
        let measure = measure(part)
        sum.size = min(sum.size + measure.size, most)
        sum.depth = max(sum.depth, measure.depth)
        sum.ruleDepth = max(sum.ruleDepth, measure.ruleDepth)
      }
      // Empty parts count as well, because they can be expanded endlessly, too.
      sum.size = max(sum.size, 1)
      if phrase.parts.isEmpty { return sum }
    }
    sum.depth += 1
    return sum
  }
}

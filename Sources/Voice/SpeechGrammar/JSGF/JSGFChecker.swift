/// Finds rules that PocketSphinx would accept and then recognise nothing with, or crash on.
struct JSGFChecker {
  private let grammar: JSGFGrammar
  private var rules: [String: JSGFGrammar.Rule] = [:]
  /// Rules that can be completed, without a word (`nullable`) or with one (`wordy`).
  private var nullable: Set<String> = []
  private var wordy: Set<String> = []
  private var found: [GrammarDiagnostic] = []

  init(_ grammar: JSGFGrammar) {
    self.grammar = grammar
  }

  /// All errors. Checks that build on sound names run once those are sound.
  var problems: [GrammarDiagnostic] {
    var checker = self
    checker.checkNames()
    guard checker.found.isEmpty else { return checker.found }
    checker.checkSize()
    guard checker.found.isEmpty else { return checker.found }
    checker.findSpeakable()
    checker.checkSpeakable()
    checker.checkRecursion()
    return checker.found
  }

  private mutating func report(_ problem: GrammarDiagnostic.Kind, at rule: JSGFGrammar.Rule) {
    found.append(GrammarDiagnostic(problem, at: rule.position, in: rule.file))
  }

  // MARK: - Names

  private mutating func checkNames() {
    for rule in grammar.rules {
      if rules[rule.name] == nil {
        rules[rule.name] = rule
      } else {
        report(.duplicateRule(rule.name), at: rule)
      }
    }
    for rule in grammar.rules {
      for use in rule.uses where rules[use.text] == nil {
        found.append(GrammarDiagnostic(.undefinedRule(use.text), at: use.position, in: rule.file))
      }
    }
    if !grammar.rules.contains(where: \.isPublic) {
      found.append(GrammarDiagnostic(.noPublicRule, at: grammar.rules.first?.position))
    }
  }

  // MARK: - What can be said

  /// Grows both sets until nothing is added, and visits again only the users of rules that were
  /// added.
  private mutating func findSpeakable() {
    var users: [String: [JSGFGrammar.Rule]] = [:]
    for rule in grammar.rules {
      for name in Set(rule.phrase.usedRules) {
        users[name, default: []].append(rule)
      }
    }
    var waiting = Array(grammar.rules.reversed())
    while let rule = waiting.popLast() {
      let found = speech(rule.phrase)
      let isNew = found.isNullable && nullable.insert(rule.name).inserted
      if found.isWordy && wordy.insert(rule.name).inserted || isNew {
        waiting += users[rule.name] ?? []
      }
    }
  }

  /// Returns whether it can be spoken without a word, and whether with one. Both at once, since
  /// asking again at each level would take exponential time with deeply nested groups.
  private func speech(_ phrase: Phrase) -> (isNullable: Bool, isWordy: Bool) {
    switch phrase {
    case .word, .slot: return (false, true)
    case .never: return (false, false)
    case .rule(let name): return (nullable.contains(name), wordy.contains(name))
    case .sequence(let parts):
      let parts = parts.map(speech)
      return (
        parts.allSatisfy(\.isNullable),
        parts.allSatisfy { $0.isNullable || $0.isWordy } && parts.contains(where: \.isWordy)
      )
    case .choice(let parts):
      let parts = parts.filter(\.isPossible).map { speech($0.phrase) }
      return (parts.contains(where: \.isNullable), parts.contains(where: \.isWordy))
    case .optional(let part): return (true, speech(part).isWordy)
    case .repeated(let part, let minimum, _):
      let part = speech(part)
      return (minimum == 0 || part.isNullable, part.isWordy)
    case .tagged(let part, _): return speech(part)
    }
  }

  private mutating func checkSpeakable() {
    for rule in grammar.rules where rule.isPublic && !wordy.contains(rule.name) {
      report(
        nullable.contains(rule.name) ? .wordlessRule(rule.name) : .unspeakableRule(rule.name),
        at: rule)
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
      if isRecursive { report(.recursiveRule(rule.name), at: rule) }
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
        first = first && speech(part).isNullable
      }
    case .repeated(let part, _, _):
      collectUses(in: part, isLast: false, mayBeFirst: mayBeFirst, into: &uses)
    case .word, .slot, .never, .choice, .optional, .tagged:
      for part in phrase.parts {
        collectUses(in: part, isLast: isLast, mayBeFirst: mayBeFirst, into: &uses)
      }
    }
  }

  // MARK: - Size

  /// PocketSphinx expands each use of a rule, so that a small text may become a huge grammar.
  private mutating func checkSize() {
    var sizes: [String: Int] = [:]
    var depths: [String: Int] = [:]
    for rule in grammar.rules { measure(rule.name, &sizes, &depths) }
    if let deep = grammar.rules.first(where: { depths[$0.name, default: 0] > JSGFLimits.ruleDepth })
    {
      report(.tooLarge("rules use rules deeper than \(JSGFLimits.ruleDepth)"), at: deep)
    }
    var total = 0
    for rule in grammar.rules where rule.isPublic {
      total += sizes[rule.name, default: 0]
      guard total > JSGFLimits.writtenOutWords else { continue }
      report(
        .tooLarge("written out it has more than \(JSGFLimits.writtenOutWords) words"), at: rule)
      return
    }
  }

  /// Measures a rule after all the rules that it uses, without recursion, because chains may be
  /// long.
  private func measure(_ name: String, _ sizes: inout [String: Int], _ depths: inout [String: Int])
  {
    var stack = [(name: name, isOpen: false)]
    var open: Set<String> = []
    while let top = stack.popLast() {
      guard sizes[top.name] == nil, let rule = rules[top.name] else { continue }
      let used = rule.phrase.usedRules
      if top.isOpen {
        // A rule that is open and not measured leads back to here; PocketSphinx makes a loop of
        // it.
        let size = used.reduce(rule.phrase.wordCount) { $0 + sizes[$1, default: 0] }
        sizes[top.name] = min(size, JSGFLimits.writtenOutWords + 1)
        depths[top.name] = 1 + (used.map { depths[$0, default: 0] }.max() ?? 0)
      } else if open.insert(top.name).inserted {
        stack.append((top.name, true))
        for name in used where sizes[name] == nil && !open.contains(name) {
          stack.append((name, false))
        }
      }
    }
  }
}

extension Phrase {
  /// The number of words and uses of rules. Empty parts count as well, because they can be expanded
  /// endlessly, too.
  fileprivate var wordCount: Int {
    let parts = parts
    return parts.isEmpty ? 1 : parts.reduce(0) { $0 + $1.wordCount }
  }
}

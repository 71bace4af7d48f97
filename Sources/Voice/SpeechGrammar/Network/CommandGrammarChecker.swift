/// Finds the errors of a grammar before it is expanded, which might be endless.
struct CommandGrammarChecker {
  /// An error, and the intent or the rule that has it.
  struct Finding {
    var kind: GrammarDiagnostic.Kind
    var part: JSGFCompiler.Part?

    init(_ kind: GrammarDiagnostic.Kind, _ part: JSGFCompiler.Part?) {
      self.kind = kind
      self.part = part
    }
  }

  /// The limits of a grammar.
  enum Limits {
    /// The maximum depth of nested phrases, including those of the rules that they use.
    static let depth = 600
    /// The maximum of a bounded number of repetitions.
    static let repeats = 40
    /// The maximum number of reported errors.
    static let problems = 100
  }

  private let grammar: CommandGrammar
  private var rules: [String: Phrase] = [:]
  private var found: [Finding] = []
  private var measures: [String: (size: Int, depth: Int, hasSlot: Bool)] = [:]
  private var open: Set<String> = []
  private var slotMeasures: [SlotType: (size: Int, depth: Int)] = [:]
  private var isTooDeep = false
  private var part: JSGFCompiler.Part?

  init(_ grammar: CommandGrammar) {
    self.grammar = grammar
  }

  /// All errors, in the order of the grammar.
  var findings: [Finding] {
    var checker = self
    checker.check()
    return Array(checker.found.prefix(Limits.problems))
  }

  private mutating func report(_ kind: GrammarDiagnostic.Kind) {
    if found.count < Limits.problems { found.append(Finding(kind, part)) }
  }

  private mutating func check() {
    guard !grammar.intents.isEmpty else { return report(.noIntent) }
    var names: Set<String> = []
    for intent in grammar.intents {
      part = .intent(intent.name)
      if !names.insert(intent.name).inserted { report(.duplicate("the intent \(intent.name)")) }
      check(weight: intent.weight)
    }
    for rule in grammar.rules {
      part = .rule(rule.name)
      if rules.updateValue(rule.phrase, forKey: rule.name) != nil {
        report(.duplicate("the rule <\(rule.name)>"))
      }
    }
    for intent in grammar.intents {
      part = .intent(intent.name)
      check(intent.phrase, depth: 0)
    }
    for rule in grammar.rules {
      part = .rule(rule.name)
      check(rule.phrase, depth: 0)
    }
    // Measuring follows the rules, so they have to be defined, and no part may be endless by
    // itself.
    if found.isEmpty { checkSize() }
  }

  // MARK: - Each part by itself

  private mutating func check(_ phrase: Phrase, depth: Int, inSlot slot: String? = nil) {
    guard depth <= JSGFLimits.depth else {
      return report(.tooLarge("groups are nested deeper than \(JSGFLimits.depth)"))
    }
    switch phrase {
    case .word(let text): if !WrittenWord.isWord(text) { report(.badWord(text)) }
    case .rule(let name): if rules[name] == nil { report(.undefinedRule(name)) }
    case .slot(let name, let type):
      if slot != nil { return report(.slotInSlot(name)) }
      check(slot: name, type)
    case .choice(let parts): for part in parts { check(weight: part.weight) }
    case .repeated(_, let minimum, let maximum):
      let last = maximum ?? minimum
      if minimum < 0 || last < minimum || last > Limits.repeats || maximum == 0 {
        report(
          .badRange(
            "a phrase cannot be said \(minimum) to \(maximum.map { "\($0)" } ?? "any number of") "
              + "times. Up to \(Limits.repeats) can be counted"))
      }
    case .sequence, .optional, .tagged, .never: break
    }
    for part in phrase.parts { check(part, depth: depth + 1, inSlot: slot) }
  }

  private mutating func check(weight: Double?) {
    guard let weight, !weight.isFinite || weight < 0 else { return }
    report(.badWeight("\(weight)"))
  }

  private mutating func check(slot name: String, _ type: SlotType) {
    guard slotMeasures[type] == nil else { return }
    slotMeasures[type] = (0, 0)
    switch type {
    case .values(let values):
      if values.isEmpty { report(.undefinedSlot(name)) }
      for value in values {
        check(weight: value.weight)
        check(value.phrase, depth: 1, inSlot: name)
        if Silence(rules).isPossible(in: value.phrase) {
          report(.wordless("the value “\(value.code)” of {\(name)}"))
        }
      }
    case .number(let range): check(range, within: 0...999_999, name)
    case .ordinal(let range): check(range, within: 1...999, name)
    case .time, .date, .duration: break
    }
  }

  private mutating func check(
    _ range: ClosedRange<Int>, within all: ClosedRange<Int>, _ name: String
  ) {
    guard !all.contains(range.lowerBound) || !all.contains(range.upperBound) else { return }
    report(
      .badRange(
        "the numbers of {\(name)}, \(range.lowerBound) to \(range.upperBound), have to lie within "
          + "\(all.lowerBound) and \(all.upperBound)"))
  }

  // MARK: - Size

  private mutating func checkSize() {
    var total = 0
    for intent in grammar.intents {
      part = .intent(intent.name)
      let measure = measure(intent.phrase, depth: 0)
      total = min(total + measure.size, JSGFLimits.writtenOutWords + 1)
      if isTooDeep {
        return report(.tooLarge("phrases and rules are nested deeper than \(Limits.depth)"))
      }
      if total > JSGFLimits.writtenOutWords {
        return report(
          .tooLarge(
            "written out, the sentences have more than \(JSGFLimits.writtenOutWords) words. Use "
              + "fewer or smaller slots and repeats"))
      }
    }
  }

  /// The number of words when every rule and every repetition is expanded.
  private mutating func measure(
    _ phrase: Phrase, depth: Int
  ) -> (size: Int, depth: Int, hasSlot: Bool) {
    guard depth <= Limits.depth else {
      isTooDeep = true
      return (0, 0, false)
    }
    var result = (size: 0, depth: 0, hasSlot: false)
    switch phrase {
    case .word, .never: return (1, 1, false)
    case .rule(let name):
      result = measure(rule: name, depth: depth)
      result.size += 1
    case .slot(let name, let type):
      result = measure(slot: name, type, depth: depth)
      result.size += 1
    default:
      for part in phrase.parts {
        let measure = measure(part, depth: depth + 1)
        result = (
          min(result.size + measure.size, JSGFLimits.writtenOutWords + 1),
          max(result.depth, measure.depth), result.hasSlot || measure.hasSlot
        )
      }
      if case .repeated(_, let minimum, let maximum) = phrase {
        let count = max(maximum ?? minimum, 1)
        result.size = min(result.size * count, JSGFLimits.writtenOutWords + 1)
        result.depth += count
      }
      result.size = max(result.size, 1)
    }
    if depth + result.depth > Limits.depth { isTooDeep = true }
    return (result.size, result.depth + 1, result.hasSlot)
  }

  private mutating func measure(
    rule name: String, depth: Int
  ) -> (size: Int, depth: Int, hasSlot: Bool) {
    if let known = measures[name] { return known }
    // A rule that is open leads back to itself, which is checked elsewhere.
    guard let phrase = rules[name], open.insert(name).inserted else { return (0, 0, false) }
    let measure = measure(phrase, depth: depth + 1)
    open.remove(name)
    measures[name] = measure
    return measure
  }

  private mutating func measure(
    slot name: String, _ type: SlotType, depth: Int
  ) -> (size: Int, depth: Int, hasSlot: Bool) {
    if let known = slotMeasures[type], known.size > 0 { return (known.size, known.depth, true) }
    let measure = measure(type.phrase(in: grammar.language), depth: depth + 1)
    if measure.hasSlot { report(.slotInSlot(name)) }
    slotMeasures[type] = (measure.size, measure.depth)
    return (measure.size, measure.depth, true)
  }
}

/// Finds the errors of a grammar before it is expanded, which might be endless.
struct CommandGrammarChecker {
  /// An error, and the intent or the rule that has it.
  typealias Finding = (kind: GrammarDiagnostic.Kind, part: JSGFCompiler.Part?)

  private let grammar: CommandGrammar
  private var rules: [String: Phrase] = [:]
  private var found: [Finding] = []
  private var slots: [(name: String, type: SlotType, part: JSGFCompiler.Part?)] = []
  private var slotTypes: Set<SlotType> = []
  private var part: JSGFCompiler.Part?
  /// The number of words before rules, slots and repetitions are expanded, so that a grammar with
  /// too many is not compiled.
  private var wordCount = 0

  init(_ grammar: CommandGrammar) {
    self.grammar = grammar
  }

  /// All errors, in the order of the grammar.
  var findings: [Finding] {
    var checker = self
    checker.check()
    return Array(checker.found.prefix(CommandGrammarLimits.problems))
  }

  private mutating func report(_ kind: GrammarDiagnostic.Kind) {
    if found.count < CommandGrammarLimits.problems { found.append((kind, part)) }
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
    var longIntent: JSGFCompiler.Part?
    for intent in grammar.intents {
      part = .intent(intent.name)
      check(intent.phrase, depth: 0)
      if wordCount > JSGFLimits.writtenOutWords { longIntent = longIntent ?? part }
    }
    for rule in grammar.rules {
      part = .rule(rule.name)
      check(rule.phrase, depth: 0)
    }
    guard found.isEmpty else { return }
    checkSlots()
    if let longIntent {
      part = longIntent
      report(CommandGrammarLimits.tooManyWords)
    }
  }

  // MARK: - Each part by itself

  private mutating func check(_ phrase: Phrase, depth: Int, inSlot slot: String? = nil) {
    guard depth <= JSGFLimits.depth else {
      return report(.tooLarge("groups are nested deeper than \(JSGFLimits.depth)"))
    }
    switch phrase {
    case .word(let text):
      wordCount += 1
      if !WrittenWord.isWord(text) { report(.badWord(text)) }
    case .rule(let name): if rules[name] == nil { report(.undefinedRule(name)) }
    case .slot(let name, let type):
      if slot != nil { return report(.slotInSlot(name)) }
      check(slot: name, type)
    case .choice(let parts): for part in parts { check(weight: part.weight) }
    case .repeated(_, let minimum, let maximum):
      let last = maximum ?? minimum
      if minimum < 0 || last < minimum || last > CommandGrammarLimits.repeats || maximum == 0 {
        report(
          .badRange(
            "a phrase cannot be said \(minimum) to \(maximum.map { "\($0)" } ?? "any number of") "
              + "times. Up to \(CommandGrammarLimits.repeats) can be counted"))
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
    guard slotTypes.insert(type).inserted else { return }
    slots.append((name, type, part))
    switch type {
    case .values(let values):
      if values.isEmpty { report(.undefinedSlot(name)) }
      for value in values {
        check(weight: value.weight)
        check(value.phrase, depth: 1, inSlot: name)
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

  /// Reports slots that hold others by way of rules, and values without a word.
  private mutating func checkSlots() {
    guard !slots.isEmpty else { return }
    let speech = SpeechForms(rules)
    for slot in slots {
      part = slot.part
      if case .values(let values) = slot.type {
        for value in values where speech.forms(of: value.phrase).isNullable {
          report(.wordless("the value “\(value.code)” of {\(slot.name)}"))
        }
      }
      let phrase = slot.type.phrase(in: grammar.language)
      var seen: Set<String> = []
      var waiting = phrase.usedRules
      var isNested = phrase.hasSlot
      while !isNested, let name = waiting.popLast() {
        guard seen.insert(name).inserted, let phrase = rules[name] else { continue }
        isNested = phrase.hasSlot
        waiting += phrase.usedRules
      }
      if isNested { report(.slotInSlot(slot.name)) }
    }
  }
}

extension Phrase {
  fileprivate var hasSlot: Bool {
    if case .slot = self { true } else { parts.contains(where: \.hasSlot) }
  }
}

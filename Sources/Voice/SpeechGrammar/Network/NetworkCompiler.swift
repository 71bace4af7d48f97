import Foundation

/// Compiles a checked grammar to a network, from the ends of its sentences to their beginnings.
struct NetworkCompiler {
  private let grammar: CommandGrammar
  private let rules: [String: Phrase]
  private let circles: StronglyConnectedComponents
  private let speech: SpeechForms
  private var network = GrammarNetwork()
  /// The first nodes of the rules that are being compiled and lead back to themselves.
  private var open: [String: GrammarNetwork.NodeIndex] = [:]
  private var slotPhrases: [SlotType: Phrase] = [:]

  init(_ grammar: CommandGrammar) {
    self.grammar = grammar
    let rules = Dictionary(
      grammar.rules.map { ($0.name, $0.phrase) }, uniquingKeysWith: { first, _ in first })
    self.rules = rules
    speech = SpeechForms(rules)
    circles = StronglyConnectedComponents(
      of: grammar.rules.map(\.name), edges: rules.mapValues(\.usedRules))
  }

  /// Compiles a grammar to a network.
  ///
  /// - Throws: `CommandGrammarError` if the grammar has errors.
  static func network(of grammar: CommandGrammar) throws(CommandGrammarError) -> GrammarNetwork {
    try grammar.check()
    return network(ofChecked: grammar)
  }

  /// Compiles a grammar that has no errors to a network.
  static func network(ofChecked grammar: CommandGrammar) -> GrammarNetwork {
    var compiler = NetworkCompiler(grammar)
    return compiler.compile()
  }

  private mutating func compile() -> GrammarNetwork {
    var branches: [GrammarNetwork.Branch] = []
    for intent in grammar.intents {
      guard let weight = Self.weight(intent.weight) else { continue }
      network.intents.append(intent.name)
      // The event comes last, so that sentences of different intents can share only the end.
      let end = event(.intent(Int32(network.intents.count - 1)), next: 0)
      guard let target = compile(intent.phrase, next: end) else { continue }
      branches.append(GrammarNetwork.Branch(target: target, weight: weight))
    }
    network.start = choice(branches) ?? 0
    network.indexChoices()
    return network
  }

  /// In millionths of a natural logarithm; `nil` for a weight of 0.
  private static func weight(_ weight: Double?) -> Int? {
    guard let weight else { return 0 }
    return weight > 0 ? Int((log(min(max(weight, 1e-300), 1e300)) * 1_000_000).rounded()) : nil
  }

  private mutating func event(
    _ event: GrammarNetwork.Event, next: GrammarNetwork.NodeIndex
  ) -> GrammarNetwork.NodeIndex {
    network.add(.event(network.events.number(of: event), next: next))
  }

  private mutating func choice(
    _ branches: [GrammarNetwork.Branch]
  ) -> GrammarNetwork.NodeIndex? {
    if branches.count < 2, branches.first?.weight ?? 0 == 0 { return branches.first?.target }
    network.choices.append(GrammarNetwork.Choice(branches: branches))
    return network.add(.choice(Int32(network.choices.count - 1)))
  }

  /// The first node of the phrase, followed by the given node; `nil` if the phrase cannot be
  /// spoken.
  private mutating func compile(
    _ phrase: Phrase, next: GrammarNetwork.NodeIndex
  ) -> GrammarNetwork.NodeIndex? {
    switch phrase {
    case .word(let text): return network.add(.word(network.number(ofWord: text), next: next))
    case .never: return nil
    case .rule(let name): return compile(rule: name, next: next)
    case .slot(let name, let type): return compile(slot: name, type, next: next)
    case .sequence(let parts):
      var place = next
      for part in parts.reversed() {
        guard let start = compile(part, next: place) else { return nil }
        place = start
      }
      return place
    case .choice(let parts):
      var branches: [GrammarNetwork.Branch] = []
      for part in parts {
        guard let weight = Self.weight(part.weight), let target = compile(part.phrase, next: next)
        else { continue }
        branches.append(GrammarNetwork.Branch(target: target, weight: weight))
      }
      return choice(branches)
    case .optional(let part): return optional(part, next: next, skippingTo: next)
    case .repeated(let part, let minimum, let maximum):
      return compile(repeated: part, minimum, maximum, next: next)
    case .tagged(let part, let tags): return compile(part, tags: tags, next: next)
    }
  }

  private mutating func optional(
    _ part: Phrase, next: GrammarNetwork.NodeIndex, skippingTo end: GrammarNetwork.NodeIndex
  ) -> GrammarNetwork.NodeIndex? {
    guard let target = compile(part, next: next) else { return end }
    return choice([
      GrammarNetwork.Branch(target: target, weight: 0),
      GrammarNetwork.Branch(target: end, weight: 0),
    ])
  }

  private mutating func compile(
    repeated part: Phrase, _ minimum: Int, _ maximum: Int?, next: GrammarNetwork.NodeIndex
  ) -> GrammarNetwork.NodeIndex? {
    var place: GrammarNetwork.NodeIndex? = next
    if let maximum {
      for _ in minimum..<max(maximum, minimum) {
        place = place.flatMap { optional(part, next: $0, skippingTo: next) }
      }
    } else {
      let loop = network.add(.jump(next))
      if let body = compile(speech.spoken(part), next: loop),
        let choice = choice([
          GrammarNetwork.Branch(target: body, weight: 0),
          GrammarNetwork.Branch(target: next, weight: 0),
        ])
      {
        network.nodes[Int(loop)] = .jump(choice)
      }
      place = loop
    }
    for _ in 0..<minimum { place = place.flatMap { compile(part, next: $0) } }
    return place
  }

  private mutating func compile(
    _ part: Phrase, tags: [String], next: GrammarNetwork.NodeIndex
  ) -> GrammarNetwork.NodeIndex? {
    // A rule that leads back to itself has one fixed continuation, so that its tags come first.
    let isCircle = part.usedRules.contains { name in
      open.keys.contains { $0 == name || circles.areInOneCircle($0, name) }
    }
    if isCircle {
      return compile(part, next: next).map { target in
        tags.reversed().reduce(target) { event(.tag($1), next: $0) }
      }
    }
    return compile(part, next: tags.reversed().reduce(next) { event(.tag($1), next: $0) })
  }

  private mutating func compile(
    slot name: String, _ type: SlotType, next: GrammarNetwork.NodeIndex
  ) -> GrammarNetwork.NodeIndex? {
    let phrase = slotPhrases[type] ?? type.phrase(in: grammar.language)
    slotPhrases[type] = phrase
    let number = network.slots.number(of: .init(name: name, type: type))
    return compile(phrase, next: event(.slotEnd, next: next))
      .map { event(.slotBegin(number), next: $0) }
  }

  private mutating func compile(
    rule name: String, next: GrammarNetwork.NodeIndex
  ) -> GrammarNetwork.NodeIndex? {
    guard let phrase = rules[name] else { return nil }
    if let start = open[name] { return start }
    guard circles.isInCircle(name) else { return compile(phrase, next: next) }
    // Rules of one cycle all continue where the first of them does: each leads to another at its
    // end only.
    let isFirst = !open.keys.contains { circles.areInOneCircle($0, name) }
    let start = network.add(.jump(next))
    open[name] = start
    let body = compile(phrase, next: next)
    if let body { network.nodes[Int(start)] = .jump(body) }
    if isFirst { open = open.filter { !circles.areInOneCircle($0.key, name) && $0.key != name } }
    return body == nil ? nil : start
  }
}

extension GrammarNetwork {
  /// The number of branches from which an index is worthwhile.
  private static let indexed = 8
  /// The maximum number of first words of a branch in the index.
  private static let firstWords = 48

  /// Indexes the branches of large choices by their first words.
  mutating func indexChoices() {
    for number in choices.indices where choices[number].branches.count >= Self.indexed {
      var byWord: [Int32: [Int32]] = [:]
      var always: [Int32] = []
      for (index, branch) in choices[number].branches.enumerated() {
        if let words = firstWords(from: branch.target) {
          for word in words { byWord[word, default: []].append(Int32(index)) }
        } else {
          always.append(Int32(index))
        }
      }
      choices[number].byWord = byWord
      choices[number].always = always
    }
  }

  /// The words that may come first from a node; `nil` if they are many, or if the end may come
  /// first.
  private func firstWords(from start: NodeIndex) -> Set<Int32>? {
    var found: Set<Int32> = []
    var seen: Set<NodeIndex> = [start]
    var waiting = [start]
    while let index = waiting.popLast() {
      guard seen.count <= 4 * Self.firstWords, found.count <= Self.firstWords else { return nil }
      switch nodes[Int(index)] {
      case .accept: return nil
      case .word(let word, _): found.insert(word)
      case .event(_, let next), .jump(let next):
        if seen.insert(next).inserted { waiting.append(next) }
      case .choice(let number):
        let branches = choices[Int(number)].branches
        guard branches.count <= 4 * Self.firstWords else { return nil }
        for branch in branches where seen.insert(branch.target).inserted {
          waiting.append(branch.target)
        }
      }
    }
    return found
  }
}

/// Turns a network into a graph of states and words.
///
/// A recogniser needs all transitions without a word at once, and a run of optional parts has as
/// many as the square of its length. Small choices are therefore repeated wherever they are entered
/// from, and only large ones become states of their own. Sentences that begin alike share their
/// first words, because a recogniser searches each copy of a word by itself.
struct WordGraphBuilder {
  private typealias NodeIndex = GrammarNetwork.NodeIndex

  /// The number of words up to which a choice is repeated.
  private static let small = 8

  private let network: GrammarNetwork
  private var graph = WordGraph()
  /// The states by the places in the network that they stand for.
  private var states: [[NodeIndex]: Int32] = [:]
  private var nodes: [[NodeIndex]] = []
  /// The number of places that may still be joined in states with others, so that words that all
  /// continue differently do not make a state for each combination.
  private var joinable: Int
  private var graphWords: [Int32: Int32] = [:]
  /// The number of places that lead to a choice.
  private var entries: [Int]
  /// The number of transitions that begin a choice, once it is counted.
  private var widths: [Int?]
  /// The transitions without a word, by the state in which they begin.
  private var silent: [[Int32: Int32]] = []

  init(_ network: GrammarNetwork) {
    self.network = network
    joinable = 2 * network.nodes.count
    entries = Array(repeating: 0, count: network.choices.count)
    widths = Array(repeating: nil, count: network.choices.count)
  }

  func built() throws(GrammarDiagnostic) -> WordGraph {
    var builder = self
    builder.countEntries()
    for number in network.choices.indices { builder.measure(Int32(number)) }
    _ = builder.state(of: [network.start])
    var next = 0
    while next < builder.nodes.count {
      try builder.addTransitions(from: Int32(next))
      next += 1
    }
    builder.graph.end = builder.state(of: [0])
    builder.silent += Array(repeating: [:], count: builder.nodes.count - builder.silent.count)
    builder.graph.stateCount = builder.nodes.count
    try builder.complete()
    return builder.graph
  }

  /// The first node from there on that is a word, a choice or the end.
  private func target(_ start: NodeIndex) -> NodeIndex {
    var index = start
    while true {
      switch network.nodes[Int(index)] {
      case .event(_, let next), .jump(let next): index = next
      case .accept, .word, .choice: return index
      }
    }
  }

  private func choice(at node: NodeIndex) -> Int32? {
    if case .choice(let number) = network.nodes[Int(node)] { number } else { nil }
  }

  private mutating func state(of places: Set<NodeIndex>) -> Int32 {
    let places = Set(places.map { target($0) }).sorted()
    if let state = states[places] { return state }
    let state = Int32(nodes.count)
    states[places] = state
    nodes.append(places)
    return state
  }

  /// The states in which the places continue: one, unless too many are joined already.
  private mutating func states(of places: Set<NodeIndex>) -> [Int32] {
    guard places.count > 1 else { return [state(of: places)] }
    guard places.count <= joinable else { return places.sorted().map { state(of: [$0]) } }
    joinable -= places.count
    return [state(of: places)]
  }

  // MARK: - Large choices

  private mutating func countEntries() {
    var places = [network.start]
    for case .word(_, let next) in network.nodes { places.append(next) }
    for choice in network.choices { places += choice.branches.map(\.target) }
    for place in places {
      if let number = choice(at: target(place)) { entries[Int(number)] += 1 }
    }
  }

  /// Without recursion, because optional parts may be many.
  private mutating func measure(_ first: Int32) {
    var waiting = [first]
    while let number = waiting.last {
      guard widths[Int(number)] == nil else {
        waiting.removeLast()
        continue
      }
      var width = 0
      var isReady = true
      for branch in network.choices[Int(number)].branches {
        guard let inner = choice(at: target(branch.target)) else {
          width += 1
          continue
        }
        if let known = widths[Int(inner)] {
          width += isLarge(inner) ? 1 : known
        } else {
          waiting.append(inner)
          isReady = false
        }
      }
      if isReady { widths[Int(number)] = width }
    }
  }

  /// True if the choice is a state of its own.
  private func isLarge(_ number: Int32) -> Bool {
    entries[Int(number)] > 1 && (widths[Int(number)] ?? 0) > Self.small
  }

  // MARK: - Transitions

  /// A word that may come next.
  private struct Step: Hashable {
    var word: Int32
    var weight: Int32
  }

  private mutating func addTransitions(from state: Int32) throws(GrammarDiagnostic) {
    var spoken: [Step: Set<NodeIndex>] = [:]
    var order: [Step] = []
    var unspoken: [Int32: Int32] = [:]
    let own = nodes[Int(state)]
    var waiting = own.reversed().map { (node: $0, weight: 0) }
    while let (node, weight) = waiting.popLast() {
      let sum = Int32(clamping: weight)
      switch network.nodes[Int(node)] {
      case .word(let word, let next):
        let step = Step(word: word, weight: sum)
        if spoken[step] == nil { order.append(step) }
        spoken[step, default: []].insert(target(next))
      case .choice(let number) where own == [node] || !isLarge(number):
        let branches = network.choices[Int(number)].branches
        // The best alternative has no weight, so that weights only ever make less likely.
        let best = branches.map(\.weight).max() ?? 0
        for branch in branches.reversed() {
          waiting.append((target(branch.target), weight + branch.weight - best))
        }
      case .accept, .choice, .event, .jump:
        let other = self.state(of: [node])
        if other != state { unspoken[other] = max(unspoken[other] ?? sum, sum) }
      }
    }
    for step in order {
      for next in states(of: spoken[step] ?? []) {
        graph.transitions.append(
          WordGraph.Transition(
            from: state, to: next, word: word(step.word), weight: step.weight))
      }
    }
    try checkSize()
    silent.append(unspoken)
  }

  private mutating func word(_ number: Int32) -> Int32 {
    if let known = graphWords[number] { return known }
    let new = Int32(graph.words.count)
    graphWords[number] = new
    graph.words.append(network.words[number])
    return new
  }

  private func checkSize() throws(GrammarDiagnostic) {
    guard graph.transitions.count > JSGFLimits.transitions else { return }
    throw GrammarDiagnostic(JSGFLimits.tooManyTransitions)
  }

  /// Adds the transitions without a word, each with the best weight of the paths that it stands
  /// for.
  private mutating func complete() throws(GrammarDiagnostic) {
    var complete = [[Int32: Int32]?](repeating: nil, count: silent.count)
    var count = 0
    for first in silent.indices {
      // Without recursion, because runs may be long. They have no cycles, as each has a word on it.
      var waiting = [first]
      while let state = waiting.last {
        let open = silent[state].keys.filter { complete[Int($0)] == nil }
        guard complete[state] == nil, open.isEmpty else {
          if open.isEmpty { waiting.removeLast() }
          waiting += open.map(Int.init)
          continue
        }
        var all = silent[state]
        for (next, weight) in silent[state] {
          for (last, more) in complete[Int(next)] ?? [:] {
            let sum = Int32(clamping: Int(weight) + Int(more))
            all[last] = max(all[last] ?? sum, sum)
          }
        }
        complete[state] = all
        count += all.count
        guard count <= JSGFLimits.silentTransitions else {
          throw GrammarDiagnostic(JSGFLimits.tooManyOptions)
        }
      }
    }
    for (state, targets) in complete.enumerated() {
      for (target, weight) in (targets ?? [:]).sorted(by: { $0.key < $1.key }) {
        graph.transitions.append(
          WordGraph.Transition(from: Int32(state), to: target, word: -1, weight: weight))
      }
    }
  }
}

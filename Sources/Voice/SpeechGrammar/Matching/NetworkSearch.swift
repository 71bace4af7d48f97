/// Finds the paths through a network that match a sentence, those with the greatest weight first.
///
/// It first computes for each reachable place in the network and the sentence the greatest weight
/// of the rest, and then follows the best steps forward, so that no step is wasted. Both take time
/// in proportion to the words and to the matching parts of the network.
struct NetworkSearch {
  /// A path through the network, as the choices that it takes.
  struct Path {
    var choices: [Int32]
    var weight: Int
  }

  private struct State: Hashable {
    var node: GrammarNetwork.NodeIndex
    var place: Int32
  }

  private struct Step {
    var state: State
    var weight = 0
    /// The number of the choice, if there are several.
    var choice: Int32?
  }

  /// A path that has not reached its end.
  private struct Open {
    var state: State
    var choices: [Int32]
    var weight: Int
    /// The greatest weight that it can reach.
    var best: Int
  }

  private let network: GrammarNetwork
  private let lattice: WordLattice
  private var rests: [State: Int] = [:]

  /// The maximum number of places, so that no sentence takes long.
  private static let limit = 1_000_000
  /// The maximum work and memory for other readings.
  private static let effort = 5_000_000
  private static let dead = Int.min

  init(_ network: GrammarNetwork, _ lattice: WordLattice) {
    self.network = network
    self.lattice = lattice
  }

  /// Calls the body with each path until it returns true. The best path may come twice.
  mutating func paths(_ body: (Path) -> Bool) {
    let start = State(node: network.start, place: 0)
    measure(from: start)
    guard let best = rests[start], best != Self.dead else { return }
    // The best path needs no memory of the alternatives, of which an ambiguous grammar has many.
    if body(bestPath(from: start)) { return }
    var open = Heap<Open>(Self.isBetter)
    open.insert(Open(state: start, choices: [], weight: 0, best: best))
    var effort = 0
    while var way = open.popFirst() {
      while true {
        if way.state.node == 0 {
          if body(Path(choices: way.choices, weight: way.weight)) { return }
          break
        }
        let next = alive(from: way.state)
        guard let first = next.first else { break }
        effort += next.count * (way.choices.count + 1)
        guard effort < Self.effort else { return }
        if next.count == 1, first.choice == nil {
          way.state = first.state
          continue
        }
        for step in next {
          guard let rest = rests[step.state] else { continue }
          var longer = way
          longer.state = step.state
          longer.weight += step.weight
          longer.best = longer.weight + rest
          if let choice = step.choice { longer.choices.append(choice) }
          open.insert(longer)
        }
        break
      }
    }
  }

  private func bestPath(from start: State) -> Path {
    var path = Path(choices: [], weight: 0)
    var state = start
    while state.node != 0 {
      var best: (step: Step, weight: Int)?
      for step in alive(from: state) {
        let weight = step.weight + rests[step.state, default: 0]
        if best.map({ weight > $0.weight }) ?? true { best = (step, weight) }
      }
      guard let step = best?.step else { return path }
      if let choice = step.choice { path.choices.append(choice) }
      path.weight += step.weight
      state = step.state
    }
    return path
  }

  /// The steps that lead to an end.
  private func alive(from state: State) -> [Step] {
    next(from: state).filter { rests[$0.state, default: Self.dead] != Self.dead }
  }

  private static func isBetter(_ left: Open, _ right: Open) -> Bool {
    if left.best != right.best { return left.best > right.best }
    return left.choices.lexicographicallyPrecedes(right.choices)
  }

  /// Follows a path, and reports its events.
  func follow(_ path: Path, _ onEvent: (GrammarNetwork.Event, Int32) -> Void) {
    var state = State(node: network.start, place: 0)
    var choices = path.choices.makeIterator()
    while state.node != 0 {
      if case .event(let number, _) = network.nodes[Int(state.node)] {
        onEvent(network.events[number], state.place)
      }
      let steps = next(from: state)
      guard let first = steps.first else { return }
      if first.choice == nil {
        state = first.state
      } else {
        let chosen = choices.next()
        guard let step = steps.first(where: { $0.choice == chosen }) else { return }
        state = step.state
      }
    }
  }

  /// Returns whether the words are a sentence, and whether they may be the beginning of a longer
  /// one.
  func progress() -> (isSentence: Bool, isBeginning: Bool) {
    var found = (isSentence: false, isBeginning: false)
    var seen: Set<State> = []
    var open = [State(node: network.start, place: 0)]
    while let state = open.popLast(), seen.count < Self.limit {
      guard seen.insert(state).inserted else { continue }
      if state.place == lattice.end {
        switch network.nodes[Int(state.node)] {
        case .accept: found.isSentence = true
        case .word: found.isBeginning = true
        case .choice(let number):
          // If the next word decides, there are branches that begin with one.
          let byWord = network.choices[Int(number)].byWord
          if byWord.map({ !$0.isEmpty }) ?? false { found.isBeginning = true }
        case .event, .jump: break
        }
      }
      open += next(from: state).map(\.state)
    }
    return found
  }

  // MARK: - Steps

  private func next(from state: State) -> [Step] {
    switch network.nodes[Int(state.node)] {
    case .accept: return []
    case .event(_, let next), .jump(let next):
      return [Step(state: State(node: next, place: state.place))]
    case .word(let word, let next):
      let edges = lattice.edges[Int(state.place)]
      var steps: [Step] = []
      for (index, edge) in edges.enumerated() where edge.word == word {
        steps.append(
          Step(state: State(node: next, place: edge.target), choice: Int32(index)))
      }
      if steps.count == 1 { steps[0].choice = nil }
      return steps
    case .choice(let number):
      let choice = network.choices[Int(number)]
      guard let byWord = choice.byWord else {
        return choice.branches.indices.map { step(choice, Int32($0), state.place) }
      }
      var indices = choice.always
      for word in Set(lattice.edges[Int(state.place)].map(\.word)) { indices += byWord[word] ?? [] }
      var last: Int32 = -1
      var steps: [Step] = []
      for index in indices.sorted() where index != last {
        steps.append(step(choice, index, state.place))
        last = index
      }
      return steps
    }
  }

  private func step(_ choice: GrammarNetwork.Choice, _ index: Int32, _ place: Int32) -> Step {
    let branch = choice.branches[Int(index)]
    return Step(
      state: State(node: branch.target, place: place), weight: branch.weight, choice: index)
  }

  // MARK: - What is best from there on

  /// Without recursion, because sentences and networks may be long.
  private mutating func measure(from start: State) {
    var stack: [(state: State, steps: [Step]?)] = [(start, nil)]
    while let top = stack.popLast() {
      guard rests[top.state] == nil else { continue }
      if top.state.node == 0 {
        rests[top.state] = top.state.place == lattice.end ? 0 : Self.dead
      } else if let steps = top.steps {
        var best = Self.dead
        for step in steps {
          guard let rest = rests[step.state], rest != Self.dead else { continue }
          best = max(best, rest + step.weight)
        }
        rests[top.state] = best
      } else {
        let steps = next(from: top.state)
        stack.append((top.state, steps))
        for step in steps where rests[step.state] == nil { stack.append((step.state, nil)) }
        if rests.count > Self.limit { return }
      }
    }
  }
}

/// A heap whose first element is the best.
struct Heap<Element> {
  private var elements: [Element] = []
  private let isBetter: (Element, Element) -> Bool

  init(_ isBetter: @escaping (Element, Element) -> Bool) {
    self.isBetter = isBetter
  }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0, isBetter(elements[index], elements[(index - 1) / 2]) {
      elements.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func popFirst() -> Element? {
    guard !elements.isEmpty else { return nil }
    elements.swapAt(0, elements.count - 1)
    let first = elements.removeLast()
    var index = 0
    while true {
      var best = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < elements.count && isBetter(elements[child], elements[best]) {
        best = child
      }
      if best == index { return first }
      elements.swapAt(index, best)
      index = best
    }
  }
}

/// Visits all sentences of a network, one after the other.
struct SentenceWalk {
  private let network: GrammarNetwork
  private let distances: [Int]
  /// The nodes of the current sentence, each with the next branch to try.
  private var path: [(node: GrammarNetwork.NodeIndex, next: Int)]
  private var words: [Int32] = []
  /// The visits of the current sentence to nodes that start a cycle.
  private var visits: [GrammarNetwork.NodeIndex: Int] = [:]

  /// The maximum number of rounds through a cycle.
  private static let rounds = 2
  /// The maximum number of steps for one sentence, because a grammar may be full of dead ends.
  private static let steps = 1_000_000

  init(_ network: GrammarNetwork) {
    self.network = network
    distances = network.distances()
    path = []
    enter(network.start)
  }

  /// The next sentence with a word; `nil` if there is none.
  mutating func next() -> String? {
    var steps = 0
    while let top = path.last, steps < Self.steps {
      steps += 1
      if top.node == 0, top.next == 0, !words.isEmpty {
        path[path.count - 1].next = 1
        return words.map { network.words[$0] }.joined(separator: " ")
      }
      let targets = network.targets(of: top.node)
      guard top.next < targets.count else {
        leave()
        continue
      }
      path[path.count - 1].next += 1
      enter(targets[top.next])
    }
    return nil
  }

  private mutating func enter(_ target: GrammarNetwork.NodeIndex) {
    guard distances[Int(target)] < Int.max else { return }
    if case .jump = network.nodes[Int(target)] {
      guard visits[target, default: 0] <= Self.rounds else { return }
      visits[target, default: 0] += 1
    }
    if case .word(let word, _) = network.nodes[Int(target)] { words.append(word) }
    path.append((target, 0))
  }

  private mutating func leave() {
    guard let left = path.popLast() else { return }
    switch network.nodes[Int(left.node)] {
    case .jump: visits[left.node, default: 1] -= 1
    case .word where !words.isEmpty: words.removeLast()
    default: break
    }
  }
}

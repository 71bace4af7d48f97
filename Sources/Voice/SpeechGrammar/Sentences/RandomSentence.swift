import Foundation

/// Generates random sentences of a network.
struct RandomSentence {
  private let network: GrammarNetwork
  private let distances: [Int]

  /// The number of words after which a sentence takes the shortest way to its end.
  private static let longest = 100

  init(_ network: GrammarNetwork) {
    self.network = network
    distances = network.distances()
  }

  /// Returns a sentence; empty only if nearly all ways through the grammar have no words.
  func next(using generator: inout some RandomNumberGenerator) -> String {
    for _ in 0..<100 {
      let words = sentence(using: &generator)
      if !words.isEmpty { return words.joined(separator: " ") }
    }
    return ""
  }

  private func sentence(using generator: inout some RandomNumberGenerator) -> [String] {
    var words: [String] = []
    var node = network.start
    guard distances[Int(node)] < Int.max else { return [] }
    while node != 0 {
      if case .word(let word, _) = network.nodes[Int(node)] {
        words.append(network.words[word])
      }
      if case .choice(let number) = network.nodes[Int(node)] {
        node = chosen(
          network.choices[Int(number)].branches, isShort: words.count < Self.longest, &generator)
      } else {
        node = network.targets(of: node).first ?? 0
      }
    }
    return words
  }

  private func chosen(
    _ branches: [GrammarNetwork.Branch], isShort: Bool,
    _ generator: inout some RandomNumberGenerator
  ) -> GrammarNetwork.NodeIndex {
    let alive = branches.filter { distances[Int($0.target)] < Int.max }
    if !isShort {
      return alive.min { distances[Int($0.target)] < distances[Int($1.target)] }?.target ?? 0
    }
    let heaviest = alive.map(\.weight).max() ?? 0
    let weights = alive.map { exp(Double($0.weight - heaviest) / 1_000_000) }
    let fraction = Double(generator.next() >> 11) * 0x1p-53
    var rest = fraction * weights.reduce(0, +)
    for (branch, weight) in zip(alive, weights) {
      rest -= weight
      if rest < 0 { return branch.target }
    }
    return alive.last?.target ?? 0
  }
}

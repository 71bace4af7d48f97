import Foundation
import SpeechConcurrency

/// Makes sentences of a network by chance.
struct SentenceChance {
  private let network: GrammarNetwork
  private let distances: [Int]
  private var random: SeededNumbers

  /// From so many words on a sentence takes the shortest way to its end.
  private static let longest = 100

  init(_ network: GrammarNetwork, seed: UInt64) {
    self.network = network
    distances = network.distances()
    random = SeededNumbers(seed: seed)
  }

  /// A sentence with a word, unless the grammar hardly has any.
  mutating func next() -> String {
    for _ in 0..<100 {
      let words = sentence()
      if !words.isEmpty { return words.joined(separator: " ") }
    }
    return ""
  }

  private mutating func sentence() -> [String] {
    var words: [String] = []
    var node = network.start
    guard distances[Int(node)] < Int.max else { return [] }
    while node != 0 {
      if case .word(let word, _) = network.nodes[Int(node)] {
        words.append(network.words[Int(word)])
      }
      if case .choice(let number) = network.nodes[Int(node)] {
        node = chosen(network.choices[Int(number)].branches, isShort: words.count < Self.longest)
      } else {
        node = network.targets(of: node).first ?? 0
      }
    }
    return words
  }

  private mutating func chosen(
    _ branches: [GrammarNetwork.Branch], isShort: Bool
  ) -> GrammarNetwork.NodeIndex {
    let alive = branches.filter { distances[Int($0.target)] < Int.max }
    if !isShort {
      return alive.min { distances[Int($0.target)] < distances[Int($1.target)] }?.target ?? 0
    }
    let heaviest = alive.map(\.weight).max() ?? 0
    let weights = alive.map { exp(Double($0.weight - heaviest) / 1_000_000) }
    var rest = random.fraction() * weights.reduce(0, +)
    for (branch, weight) in zip(alive, weights) {
      rest -= weight
      if rest < 0 { return branch.target }
    }
    return alive.last?.target ?? 0
  }
}

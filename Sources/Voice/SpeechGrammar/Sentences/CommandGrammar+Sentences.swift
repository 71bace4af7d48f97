extension CommandGrammar {
  /// Lists the first sentences of the grammar, each once, in the order of the source: for tests,
  /// and to build a language model.
  ///
  /// Unbounded repetitions occur up to twice more than they have to.
  ///
  /// ```swift
  /// try home.sentences(limit: 3)   // ["please turn on the kitchen light", …]
  /// ```
  ///
  /// - Throws: `CommandGrammarError` if the grammar cannot be used.
  public func sentences(limit: Int) throws(CommandGrammarError) -> [String] {
    var walk = SentenceWalk(try NetworkCompiler.network(of: self))
    var found: [String] = []
    var seen: Set<String> = []
    // Ambiguous grammars repeat sentences.
    var attempts = 0
    while found.count < limit, attempts < 20 * limit, let sentence = walk.next() {
      attempts += 1
      if seen.insert(sentence).inserted { found.append(sentence) }
    }
    return found
  }

  /// Generates random sentences. Alternatives are chosen by their weights.
  ///
  /// The same numbers give the same sentences.
  ///
  /// - Throws: `CommandGrammarError` if the grammar cannot be used.
  public func randomSentences(
    _ count: Int, using generator: inout some RandomNumberGenerator
  ) throws(CommandGrammarError) -> [String] {
    let sentence = RandomSentence(try NetworkCompiler.network(of: self))
    return (0..<max(count, 0)).map { _ in sentence.next(using: &generator) }
  }

  /// Counts the sentences without listing them. A sentence with two readings counts twice.
  ///
  /// - Throws: `CommandGrammarError` if the grammar cannot be used.
  public func sentenceCount() throws(CommandGrammarError) -> SentenceCount {
    try NetworkCompiler.network(of: self).sentenceCount()
  }
}

extension GrammarNetwork {
  /// The nodes that may follow.
  func targets(of node: NodeIndex) -> [NodeIndex] {
    switch nodes[Int(node)] {
    case .accept: []
    case .word(_, let next), .event(_, let next), .jump(let next): [next]
    case .choice(let number): choices[Int(number)].branches.map(\.target)
    }
  }

  /// The minimum number of words from each node to the end; `Int.max` if the end cannot be reached.
  func distances() -> [Int] {
    var sources: [[NodeIndex]] = Array(repeating: [], count: nodes.count)
    for node in nodes.indices {
      for target in targets(of: NodeIndex(node)) { sources[Int(target)].append(NodeIndex(node)) }
    }
    var distances = Array(repeating: Int.max, count: nodes.count)
    distances[0] = 0
    var wave: [NodeIndex] = [0]
    var length = 0
    // One wave for each number of words; nodes that need no word join the wave that they lead
    // to.
    while !wave.isEmpty {
      var following: [NodeIndex] = []
      while let node = wave.popLast() {
        for source in sources[Int(node)] {
          if case .word = nodes[Int(source)] {
            if distances[Int(source)] > length + 1 {
              distances[Int(source)] = length + 1
              following.append(source)
            }
          } else if distances[Int(source)] > length {
            distances[Int(source)] = length
            wave.append(source)
          }
        }
      }
      wave = following.filter { distances[Int($0)] == length + 1 }
      length += 1
    }
    return distances
  }

  func sentenceCount() -> SentenceCount {
    let distances = distances()
    guard distances[Int(start)] < Int.max else { return .exactly(0) }
    var counts: [NodeIndex: SentenceCount] = [0: .exactly(1)]
    var open: Set<NodeIndex> = []
    var stack = [start]
    while let node = stack.last {
      let targets = targets(of: node).filter { distances[Int($0)] < Int.max }
      if counts[node] != nil {
        stack.removeLast()
      } else if open.insert(node).inserted {
        for target in targets where counts[target] == nil {
          // An open node leads back to here.
          if open.contains(target) { return .endless }
          stack.append(target)
        }
      } else {
        stack.removeLast()
        open.remove(node)
        counts[node] = targets.reduce(.exactly(0)) { $0.adding(counts[$1] ?? .endless) }
      }
    }
    return counts[start] ?? .exactly(0)
  }
}

extension SentenceCount {
  fileprivate func adding(_ other: SentenceCount) -> SentenceCount {
    guard case .exactly(let left) = self, case .exactly(let right) = other else {
      return self == .endless || other == .endless ? .endless : .uncountable
    }
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .uncountable : .exactly(sum)
  }
}

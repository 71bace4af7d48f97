import Foundation

extension LanguageModel {
  /// Mixes two models: the result's probabilities are weighted sums of both models' probabilities.
  ///
  /// It has the n-grams and the words of both models. A word that one of them does not have has
  /// probability 0 in that model.
  ///
  /// - Parameter share: the weight of the other model, from 0 to 1.
  public func mixed(with other: LanguageModel, share: Double) -> LanguageModel {
    var words = words
    var places = Dictionary(
      words.enumerated().map { (Self.commonName($1), UInt32($0)) },
      uniquingKeysWith: { first, _ in first })
    var map: [UInt32] = []
    for word in other.words {
      let name = Self.commonName(word)
      if let place = places[name] {
        map.append(place)
      } else {
        places[name] = UInt32(words.count)
        map.append(UInt32(words.count))
        words.append(word)
      }
    }
    let mixer = Mixer(
      left: levels.extended(to: words.count), right: other.levels.mapped(map, to: words.count),
      share: min(max(share, 0), 1))
    return LanguageModel(words: words, levels: mixer.levels())
  }

  /// Unifies the two names of the same marker.
  private static func commonName(_ word: String) -> String { word == "<UNK>" ? "<unk>" : word }
}

extension [NGramLevel] {
  /// Adds unigrams with probability 0, up to a number of words.
  fileprivate func extended(to count: Int) -> [NGramLevel] {
    var levels = self
    let missing = levels[0].keys.count..<count
    levels[0].keys += missing.map { NGramKey($0) }
    levels[0].logProbabilities += missing.map { _ in NGramLevel.never }
    levels[0].backOffs += missing.map { _ in 0 }
    return levels
  }

  /// Renumbers the words.
  fileprivate func mapped(_ map: [UInt32], to count: Int) -> [NGramLevel] {
    var single = NGramLevel(
      keys: (0..<count).map { NGramKey($0) },
      logProbabilities: .init(repeating: NGramLevel.never, count: count),
      backOffs: .init(repeating: 0, count: count))
    for (place, word) in map.enumerated() {
      single.logProbabilities[Int(word)] = self[0].logProbabilities[place]
      single.backOffs[Int(word)] = self[0].backOffs[place]
    }
    return [single]
      + indices.dropFirst().map { index in
        let keys = self[index].keys.map { $0.mapped(index + 1, map) }
        let order = keys.indices.sorted { keys[$0] < keys[$1] }
        return NGramLevel(
          keys: order.map { keys[$0] },
          logProbabilities: order.map { self[index].logProbabilities[$0] },
          backOffs: order.map { self[index].backOffs[$0] })
      }
  }
}

/// Mixes two models of the same words.
private struct Mixer {
  let left: [NGramLevel]
  let right: [NGramLevel]
  let share: Double

  /// The logarithms of both models for all n-grams of one length.
  private struct Both {
    var left: [Float] = []
    var right: [Float] = []
  }

  func levels() -> [NGramLevel] {
    var levels: [NGramLevel] = []
    var shorter = Both()
    for index in 0..<max(left.count, right.count) {
      var level = NGramLevel()
      level.keys = Self.union(
        index < left.count ? left[index].keys : [], index < right.count ? right[index].keys : [])
      let previous = levels.last?.keys ?? []
      let suffixes =
        index == 0
        ? []
        : level.keys.map { key in
          // The parts of an n-gram are in the model that the n-gram is in.
          index == 1 ? Int(key.lastWord) : previous.place(of: key.suffix(of: index + 1)) ?? 0
        }
      let both = Both(
        left: logs(of: level.keys, in: left, index, shorter.left, suffixes),
        right: logs(of: level.keys, in: right, index, shorter.right, suffixes))
      level.logProbabilities = zip(both.left, both.right).map { mix($0, $1) }
      level.backOffs = [Float](repeating: 0, count: level.keys.count)
      if index > 0 { setBackOffs(&levels[index - 1], longer: level, suffixes) }
      levels.append(level)
      shorter = both
    }
    return levels.dropLastEmpty()
  }

  private func mix(_ left: Float, _ right: Float) -> Float {
    NGramLevel.log(
      (1 - share) * NGramLevel.probability(left) + share * NGramLevel.probability(right))
  }

  private static func union(_ left: [NGramKey], _ right: [NGramKey]) -> [NGramKey] {
    var keys: [NGramKey] = []
    keys.reserveCapacity(left.count + right.count)
    var place = 0
    for key in left {
      while place < right.count, right[place] < key {
        keys.append(right[place])
        place += 1
      }
      if place < right.count, right[place] == key { place += 1 }
      keys.append(key)
    }
    return keys + right[place...]
  }

  /// Computes the logarithms of one model for the n-grams of one length.
  ///
  /// - Parameters:
  ///   - shorter: the model's logarithms for the n-grams of one word less.
  ///   - suffixes: the index among these of each n-gram without its first word.
  private func logs(
    of keys: [NGramKey], in model: [NGramLevel], _ index: Int, _ shorter: [Float],
    _ suffixes: [Int]
  ) -> [Float] {
    guard index > 0 else { return model[0].logProbabilities }
    let own = index < model.count ? model[index] : NGramLevel()
    let contexts = index - 1 < model.count ? model[index - 1] : NGramLevel()
    var place = 0
    var context = 0
    return keys.enumerated().map { position, key in
      while place < own.keys.count, own.keys[place] < key { place += 1 }
      if place < own.keys.count, own.keys[place] == key { return own.logProbabilities[place] }
      let prefix = key.prefix
      while context < contexts.keys.count, contexts.keys[context] < prefix { context += 1 }
      let isKnown = context < contexts.keys.count && contexts.keys[context] == prefix
      let backOff = isKnown ? contexts.backOffs[context] : 0
      return max(backOff + shorter[suffixes[position]], NGramLevel.never)
    }
  }

  /// Sets the back-offs to the probability left for words without an n-gram, after each n-gram of
  /// one word less.
  private func setBackOffs(_ level: inout NGramLevel, longer: NGramLevel, _ suffixes: [Int]) {
    let shorterProbabilities = level.logProbabilities.map(NGramLevel.probability)
    var start = 0
    var place = 0
    while start < longer.keys.count {
      let prefix = longer.keys[start].prefix
      var known = 0.0
      var shorter = 0.0
      var end = start
      while end < longer.keys.count, longer.keys[end].prefix == prefix {
        known += NGramLevel.probability(longer.logProbabilities[end])
        shorter += shorterProbabilities[suffixes[end]]
        end += 1
      }
      while level.keys[place] < prefix { place += 1 }
      let left = 1 - known
      let room = 1 - shorter
      // Nothing is left apart from rounding errors.
      level.backOffs[place] =
        left > 1e-7 ? (room > 1e-7 ? NGramLevel.log(left / room) : 0) : NGramLevel.never
      start = end
    }
  }
}

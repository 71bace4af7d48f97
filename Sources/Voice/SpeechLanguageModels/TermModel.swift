/// A model of terms and phrases that may occur anywhere in a sentence. Mixed into another model it
/// makes them likelier.
package enum TermModel {
  /// Builds the model of terms.
  ///
  /// - Parameter terms: the words of each term, at least one.
  package static func model(of terms: [[String]]) -> LanguageModel {
    var words = ReservedWord.all
    var numbers: [String: UInt32] = [:]
    var firsts: [UInt32: Double] = [:]
    var all: [UInt32: Double] = [:]
    // After each beginning of at most two words: the next words in phrases, and the number of
    // ends.
    var followers: [[NGramKey: [UInt32: Double]]] = [[:], [:]]
    var totals: [[NGramKey: Double]] = [[:], [:]]
    for term in terms {
      let chain = term.map { word in
        if let number = numbers[word] { return number }
        let number = UInt32(words.count)
        words.append(word)
        numbers[word] = number
        return number
      }
      firsts[chain[0], default: 0] += 1
      for (index, word) in chain.enumerated() {
        all[word, default: 0] += 1
        for length in 1...2 where index + 1 >= length {
          let context = chain[(index + 1 - length)...index].reduce(NGramKey(0)) {
            $0.followed(by: $1)
          }
          totals[length - 1][context, default: 0] += 1
          if index + 1 < chain.count {
            followers[length - 1][context, default: [:]][chain[index + 1], default: 0] += 1
          }
        }
      }
    }
    let total = all.values.reduce(0, +)
    var levels = [NGramLevel(), NGramLevel(), NGramLevel()]
    var single = [Double](repeating: 0, count: words.count)
    // Mostly from the beginning of a phrase; sometimes only a part of it is spoken.
    for word in words.indices {
      let number = UInt32(word)
      single[word] =
        0.8 * (firsts[number] ?? 0) / Double(max(terms.count, 1)) + 0.2 * (all[number] ?? 0)
        / max(total, 1)
    }
    levels[0].keys = words.indices.map { NGramKey($0) }
    levels[0].logProbabilities = single.map(NGramLevel.log)
    levels[0].backOffs = [Float](repeating: 0, count: words.count)
    var shorter: [NGramKey: Double] = [:]
    for length in 1...2 {
      var longer: [NGramKey: Double] = [:]
      for (context, next) in followers[length - 1] {
        let total = totals[length - 1][context] ?? 1
        let ends = 1 - next.values.reduce(0, +) / total
        if let place = levels[length - 1].place(of: context) {
          levels[length - 1].backOffs[place] = NGramLevel.log(ends)
        }
        for (word, count) in next {
          let key = context.followed(by: word)
          let below = length == 1 ? single[Int(word)] : shorter[key.suffix(of: 3)] ?? 0
          longer[key] = count / total + ends * below
        }
      }
      levels[length].keys = longer.keys.sorted()
      levels[length].logProbabilities = levels[length].keys.map { NGramLevel.log(longer[$0] ?? 0) }
      levels[length].backOffs = [Float](repeating: 0, count: longer.count)
      shorter = longer
    }
    return LanguageModel(words: words, levels: levels.dropLastEmpty())
  }
}

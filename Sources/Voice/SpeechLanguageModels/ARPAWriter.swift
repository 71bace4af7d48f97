import Foundation

/// Writes a model as an ARPA file: text with a line for each n-gram, with decimal logarithms and a
/// decimal point in every locale.
struct ARPAWriter {
  let model: LanguageModel

  func write(to url: URL) throws(LanguageModelError) {
    let output = try LanguageModelOutput(url)
    var text = "\\data\\\n"
    for (index, count) in model.counts.enumerated() { text += "ngram \(index + 1)=\(count)\n" }
    for (index, level) in model.levels.enumerated() {
      text += "\n\\\(index + 1)-grams:\n"
      for place in level.keys.indices {
        text += Self.number(level.logProbabilities[place]) + "\t"
        let words = level.keys[place].words(index + 1)
        for (position, word) in words.enumerated() {
          if position > 0 { text += " " }
          text += model.words[Int(word)]
        }
        if index + 1 < model.order { text += "\t" + Self.number(level.backOffs[place]) }
        text += "\n"
        if text.utf8.count > 1 << 18 {
          try output.write(text)
          text = ""
        }
      }
    }
    try output.write(text + "\n\\end\\\n")
    try output.finish()
  }

  /// Seven significant digits, as readers of such files expect.
  static func number(_ value: Float) -> String {
    if value <= NGramLevel.never { return "-99" }
    if value == 0 { return "0" }
    // Swift would write small numbers with an exponent, which some readers do not accept.
    return abs(value) < 1e-4 ? String(format: "%.8f", value) : value.description
  }
}

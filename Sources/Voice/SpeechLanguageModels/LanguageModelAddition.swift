import Foundation

/// Adds single words to a language model on disk.
///
/// PocketSphinx adds words to a model in memory too, but its search for longer n-grams does not
/// expect them: it reads outside the model, and ends the process after a few words.
package struct LanguageModelAddition {
  /// The words to add, which the model lacks.
  private let words: [String]

  package init(_ words: some Sequence<String>) { self.words = words.sorted() }

  /// The model of a file with the words, in PocketSphinx's binary form. Each word is as likely as
  /// the average one, after any other words.
  ///
  /// - Throws: `LanguageModelError` if the file cannot be read, is broken or has another format.
  package func data(of url: URL) throws(LanguageModelError) -> Data {
    let old: Data
    do {
      old = try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw LanguageModelError(
        .unreadable, path: url.path, reason: "it cannot be read: \(error.localizedDescription)")
    }
    if BinaryModelReader.isBinary(old), let new = try extended(old) { return new }
    let model = try LanguageModel(old, path: url.path)
    return try BinaryModelWriter(model: model.adding(words)).data()
  }

  /// The same n-grams with more single words; `nil` if the larger numbers need more bits.
  private func extended(_ old: Data) throws(LanguageModelError) -> Data? {
    let layout = try old.withUnsafeBytes { bytes in
      Result { () throws(LanguageModelError) in try BinaryModelLayout(bytes) }
    }.get()
    let count = layout.counts[0]
    guard BinaryModelFormat.bits(for: count + words.count) == BinaryModelFormat.bits(for: count)
    else { return nil }
    let texts = Data(words.map { Data($0.utf8) + [0] }.joined())
    var new = Data(capacity: old.count + words.count * BinaryModelFormat.singleSize + texts.count)
    // The title and the order are before the number of words.
    let counts = BinaryModelFormat.title.count + 1
    new += old[..<counts]
    new.appendNumber(UInt32(count + words.count))
    let last = layout.single(count)
    new += old[counts + 4..<last]
    let log = -log10(Float(count)) * BinaryModelFormat.scale
    // No longer n-gram begins with them, so each ends where the next begins.
    let next = old[last + 8..<last + BinaryModelFormat.singleSize]
    for _ in words {
      new.appendNumber(log.bitPattern)
      new.appendNumber(Float(0).bitPattern)
      new += next
    }
    new += old[last..<layout.texts.lowerBound - 4]
    new.appendNumber(UInt32(layout.texts.count + texts.count))
    new += old[layout.texts]
    new += texts
    return new
  }
}

extension LanguageModel {
  /// The model with more words, as likely as the average one after any other words.
  func adding(_ new: [String]) -> LanguageModel {
    var levels = levels
    let log = NGramLevel.log(1 / Double(words.count))
    for index in new.indices { levels[0].keys.append(NGramKey(words.count + index)) }
    levels[0].logProbabilities += new.map { _ in log }
    levels[0].backOffs += new.map { _ in 0 }
    return LanguageModel(words: words + new, levels: levels)
  }
}

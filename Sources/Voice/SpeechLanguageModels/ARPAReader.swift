import Foundation

/// Reads ARPA files, and reports errors with their line.
struct ARPAReader {
  private let path: String?
  private var lines: LineCutter
  private var content = NGramRows(words: [], rows: [])
  private var numbers: [ArraySlice<UInt8>: UInt32] = [:]

  /// The maximum number of n-grams. No model has more, but a header may claim any number.
  private static let mostChains = 1 << 28

  static func model(_ data: Data, path: String?) throws(LanguageModelError) -> LanguageModel {
    var reader = ARPAReader(path: path, lines: LineCutter([UInt8](data)))
    return try reader.read()
  }

  private func wrong(_ reason: String, line: Int? = nil) -> LanguageModelError {
    LanguageModelError(path: path, line: line ?? lines.number, reason: reason)
  }

  private mutating func read() throws(LanguageModelError) -> LanguageModel {
    guard skip(to: "\\data\\") else {
      throw LanguageModelError(
        path: path, reason: "it is not a language model: an ARPA file has a line \\data\\.")
    }
    let counts = try header()
    for (index, count) in counts.enumerated() {
      // The header consumed its last line, which may be the title of the section.
      guard
        lines.current.elementsEqual("\\\(index + 1)-grams:".utf8)
          || skip(to: "\\\(index + 1)-grams:")
      else { throw wrong("the section “\\\(index + 1)-grams:” is missing.") }
      try section(length: index + 1, count: count, isLongest: index + 1 == counts.count)
    }
    guard lines.current.elementsEqual("\\end\\".utf8) || skip(to: "\\end\\") else {
      throw wrong("it ends without a line \\end\\, so something may be missing.")
    }
    if let twice = content.sort() {
      let words = twice.key.words(twice.length).map { content.words[Int($0)] }
      throw LanguageModelError(
        path: path, reason: "“\(words.joined(separator: " "))” occurs twice. Remove one.")
    }
    return content.model()
  }

  private mutating func skip(to text: String) -> Bool {
    while lines.next() {
      if lines.current.elementsEqual(text.utf8) { return true }
    }
    return false
  }

  private mutating func header() throws(LanguageModelError) -> [Int] {
    var counts: [Int] = []
    while lines.next() {
      let line = lines.current
      if line.isEmpty { continue }
      if line.first == UInt8(ascii: "\\") { break }
      let text = String(decoding: line, as: UTF8.self)
      let sides = text.split(separator: "=").map { $0.split(whereSeparator: \.isWhitespace) }
      guard sides.count == 2, sides[0].count == 2, sides[0][0] == "ngram",
        let length = Int(sides[0][1]), sides[1].count == 1, let count = Int(sides[1][0])
      else { throw wrong("“\(text.prefix(60))” is not like “ngram 1=5000”.") }
      guard length == counts.count + 1 else {
        throw wrong(
          "n-grams of \(counts.count + 1) words should be counted here, not of \(length).")
      }
      guard (0...Self.mostChains).contains(count), length > 1 || count > 0 else {
        throw wrong("there cannot be \(count) n-grams.")
      }
      counts.append(count)
      guard length <= LanguageModel.mostOrder else {
        throw wrong(
          "it has n-grams of \(length) words; at most \(LanguageModel.mostOrder) are supported. "
            + "Build it again with shorter ones.")
      }
    }
    guard !counts.isEmpty else { throw wrong("the counts, such as “ngram 1=5000”, are missing.") }
    return counts
  }

  private mutating func section(
    length: Int, count: Int, isLongest: Bool
  ) throws(LanguageModelError) {
    var rows: [NGramRows.Row] = []
    let first = lines.number
    while lines.next() {
      let line = lines.current
      if line.isEmpty { continue }
      if line.first == UInt8(ascii: "\\") { break }
      guard rows.count < count else {
        throw wrong(
          "there are more n-grams of \(length) words than the \(count) that the header announces.")
      }
      rows.append(try row(line, length: length))
    }
    guard rows.count == count else {
      throw wrong(
        "there are \(rows.count) n-grams of \(length) words, and the header announces \(count).",
        line: first)
    }
    content.rows.append(rows)
  }

  private mutating func row(
    _ line: ArraySlice<UInt8>, length: Int
  ) throws(LanguageModelError) -> NGramRows.Row {
    let fields = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    guard fields.count == length + 1 || fields.count == length + 2 else {
      throw wrong(
        "a logarithm, \(length) word\(length == 1 ? "" : "s") and perhaps another logarithm are "
          + "expected, not \(fields.count) fields.")
    }
    let probability = try logarithm(fields[0])
    guard probability <= 0 else {
      throw wrong("a likelihood's logarithm is not above 0; there is \(probability).")
    }
    var key = NGramKey(0)
    for field in fields[1...length] {
      if length == 1 { try learn(field) }
      guard let number = numbers[field] else {
        throw wrong(
          "“\(String(decoding: field, as: UTF8.self).prefix(60))” is not among the single words.")
      }
      key = key.followed(by: number)
    }
    let backOff = fields.count == length + 2 ? try logarithm(fields[length + 1]) : 0
    return NGramRows.Row(
      key: key, logProbability: max(probability, NGramLevel.never),
      backOff: max(backOff, NGramLevel.never))
  }

  private mutating func learn(_ word: ArraySlice<UInt8>) throws(LanguageModelError) {
    guard let text = String(validating: word, as: UTF8.self), !text.utf8.contains(0) else {
      throw wrong("a word is not valid UTF-8. Convert the file.")
    }
    guard numbers.updateValue(UInt32(content.words.count), forKey: word) == nil else {
      throw wrong("the word “\(text.prefix(60))” occurs twice. Remove one.")
    }
    content.words.append(text)
  }

  private func logarithm(_ field: ArraySlice<UInt8>) throws(LanguageModelError) -> Float {
    // Not strtod, which depends on the locale.
    guard field.count <= 32, let value = Float(String(decoding: field, as: UTF8.self)),
      !value.isNaN, abs(value) <= 1000 || value == -.infinity
    else {
      throw wrong("“\(String(decoding: field, as: UTF8.self).prefix(40))” is not a logarithm.")
    }
    return max(value, NGramLevel.never)
  }
}

/// Splits bytes into lines.
struct LineCutter {
  private let bytes: [UInt8]
  private var place = 0
  /// The number of the current line, from one.
  private(set) var number = 0
  /// The current line, without blanks at its ends.
  private(set) var current: ArraySlice<UInt8> = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Moves to the next line; returns false at the end.
  mutating func next() -> Bool {
    guard place < bytes.count else {
      current = []
      return false
    }
    var end = place
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    var first = place
    var last = end
    while first < last, bytes[first] <= 0x20 { first += 1 }
    while last > first, bytes[last - 1] <= 0x20 { last -= 1 }
    current = bytes[first..<last]
    place = end + 1
    number += 1
    return true
  }
}

import SpeechText

/// An error in a line, with its position.
struct ScenarioLineError: Error {
  var column: Int
  var message: String
}

/// The tokens of a line, which are taken one by one.
struct ScenarioLine {
  struct Token: Equatable {
    var text: String
    var isQuoted: Bool
    /// The column, counted from one.
    var column: Int
  }

  let number: Int
  private let tokens: [Token]
  private let end: Int
  private var place = 0

  /// - Throws: An error for a quotation without an end.
  init(_ text: Substring, number: Int) throws(ScenarioLineError) {
    self.number = number
    var tokens: [Token] = []
    var characters = Array(text)[...]
    let start = characters.startIndex
    while let first = characters.first {
      let column = characters.startIndex - start + 1
      if first.isWhitespace {
        characters.removeFirst()
      } else if first == "#" {
        break
      } else if first == "\"" || first == "“" {
        tokens.append(try Self.quotation(&characters, column))
      } else {
        let word = characters.prefix { !$0.isWhitespace && $0 != "\"" }
        characters = characters.dropFirst(word.count)
        tokens.append(Token(text: String(word), isQuoted: false, column: column))
      }
    }
    self.tokens = tokens
    end = characters.startIndex - start + 1
  }

  private static func quotation(
    _ characters: inout ArraySlice<Character>, _ column: Int
  ) throws(ScenarioLineError) -> Token {
    let close: Character = characters.removeFirst() == "“" ? "”" : "\""
    var text = ""
    while let next = characters.popFirst() {
      if next == close { return Token(text: text, isQuoted: true, column: column) }
      if next == "\\", let escaped = characters.popFirst() {
        text.append(escaped == "n" ? "\n" : escaped)
      } else {
        text.append(next)
      }
    }
    throw ScenarioLineError(column: column, message: "The quotation that begins here has no end.")
  }

  var isEmpty: Bool { tokens.isEmpty }
  var isAtEnd: Bool { place == tokens.count }
  /// The column of the next token.
  var column: Int { isAtEnd ? end : tokens[place].column }

  func fail(_ message: String) -> ScenarioLineError {
    ScenarioLineError(column: column, message: message)
  }

  /// The next word, without taking it; `nil` for a quotation and at the end.
  var word: String? { isAtEnd || tokens[place].isQuoted ? nil : tokens[place].text }

  /// The word after the next one.
  var wordAfter: String? {
    place + 1 < tokens.count && !tokens[place + 1].isQuoted ? tokens[place + 1].text : nil
  }

  var isAtQuotation: Bool { !isAtEnd && tokens[place].isQuoted }

  mutating func skip() { place += 1 }

  /// Takes the words of a phrase if they come next.
  mutating func take(_ phrase: String) -> Bool {
    let words = phrase.split(separator: " ")
    guard place + words.count <= tokens.count else { return false }
    for (token, word) in zip(tokens[place...], words) {
      guard !token.isQuoted, token.text.lowercased() == word else { return false }
    }
    place += words.count
    return true
  }

  /// Takes the words of a phrase, which something else may have to follow.
  mutating func need(_ phrase: String, and next: String? = nil) throws(ScenarioLineError) {
    guard !take(phrase) else { return }
    throw fail(
      next.map { "Here “\(phrase)” and \($0) are missing." } ?? "Here “\(phrase)” is missing.")
  }

  mutating func needWord(_ what: String) throws(ScenarioLineError) -> String {
    guard let word else { throw fail("Here \(what) is missing.") }
    place += 1
    return word
  }

  mutating func needText(_ what: String) throws(ScenarioLineError) -> String {
    guard isAtQuotation else { throw fail("Here \(what) is missing, in quotation marks.") }
    place += 1
    return tokens[place - 1].text
  }

  /// Takes one of the names.
  mutating func need(
    _ what: String, among names: [String]
  ) throws(ScenarioLineError) -> String {
    guard let word else {
      throw fail("Here \(what) is missing: \(names.joined(separator: ", ")).")
    }
    guard let name = names.first(where: { $0.lowercased() == word.lowercased() }) else {
      throw fail(
        "Here \(what) is expected: \(names.joined(separator: ", ")), not “\(word)”."
          + NearestName.suggestion(for: word, among: names))
    }
    place += 1
    return name
  }

  mutating func needNumber(
    _ what: String, in range: ClosedRange<Double>
  ) throws(ScenarioLineError) -> Double {
    guard let word else { throw fail("Here \(what) is missing.") }
    guard let number = Double(word), range.contains(number) else {
      throw fail(
        "Here \(what) is expected, a number from \(range.lowerBound.brief) to "
          + "\(range.upperBound.brief), not “\(word)”.")
    }
    place += 1
    return number
  }

  /// Takes a duration: “2 s”, “0.5s”, “300 ms”, “1 min”.
  mutating func needTime(_ what: String) throws(ScenarioLineError) -> Duration {
    guard let word else { throw fail("Here \(what) is missing, such as 2 s or 300 ms.") }
    let digits = word.prefix { $0.isNumber || $0 == "." }
    var unit = String(word.dropFirst(digits.count))
    var taken = 1
    if unit.isEmpty, let next = wordAfter {
      unit = next
      taken = 2
    }
    guard let number = Double(digits), number <= 86_400, let length = Self.units[unit.lowercased()]
    else {
      throw fail("Here \(what) is expected, such as 2 s or 300 ms, not “\(word)”.")
    }
    place += taken
    return .microseconds(Int64((number * length * 1_000_000).rounded()))
  }

  /// Takes a level: “-20 dB”. The unit is optional.
  mutating func needDecibels(
    _ what: String, in range: ClosedRange<Double>
  ) throws(ScenarioLineError) -> Double {
    let number = try needNumber("\(what) in dB", in: range)
    _ = take("db")
    return number
  }

  /// - Throws: An error if there are more tokens.
  func end(_ allowed: String = "") throws(ScenarioLineError) {
    guard isAtEnd else {
      let rest = tokens[place].text
      let hint = allowed.isEmpty ? "The line should end before it." : "Possible here: \(allowed)."
      throw fail("“\(rest)” is not expected here. \(hint)")
    }
  }

  private static let units: [String: Double] = [
    "s": 1, "sec": 1, "second": 1, "seconds": 1, "ms": 0.001, "min": 60, "minute": 60,
    "minutes": 60,
  ]
}

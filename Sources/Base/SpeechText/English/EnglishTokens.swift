/// Splits a word where its reading changes: between letters and digits, between small and capital
/// letters, at hyphens and signs.
enum EnglishTokens {
  enum Token: Equatable {
    /// Letters, with apostrophes between them.
    case word(String)
    case number(String)
    /// The digits of “3rd”.
    case ordinal(String)
    case sign(Character)
    /// “'s”, or the s of “PCs”.
    case ending

    var isWord: Bool {
      if case .word = self { return true }
      return false
    }
  }

  static func of(_ text: String) -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first.isEnglishDigit {
        tokens += numbers(&rest)
      } else if first.isEnglishLetter {
        tokens += words(&rest)
      } else {
        rest.removeFirst()
        // A point is spoken between digits only.
        let isPoint = first == "." && rest.first?.isEnglishDigit == true && isNumber(tokens.last)
        if isPoint || (first != "." && EnglishSpelling.signs[first] != nil) {
          tokens.append(.sign(first))
        }
      }
    }
    return tokens
  }

  private static func isNumber(_ token: Token?) -> Bool {
    if case .number = token { return true }
    return false
  }

  private static func numbers(_ rest: inout Substring) -> [Token] {
    var digits = ""
    while let next = rest.first {
      let after = rest.dropFirst().first
      if next.isEnglishDigit {
        digits.append(next)
      } else if next != "," || digits.isEmpty || after?.isEnglishDigit != true {
        break
      }
      rest.removeFirst()
    }
    let ending = rest.prefix(while: \.isEnglishLetter).lowercased()
    guard ["st", "nd", "rd", "th"].contains(ending), digits.count <= 12 else {
      guard ending == "s" else { return [.number(digits)] }
      rest.removeFirst()
      return [.number(digits), .ending]  // the 90s
    }
    rest.removeFirst(2)
    return [.ordinal(digits)]
  }

  private static func words(_ rest: inout Substring) -> [Token] {
    var run = ""
    while let next = rest.first {
      let isApostrophe = next == "'" && rest.dropFirst().first?.isEnglishLetter == true
      guard next.isEnglishLetter || (isApostrophe && !run.isEmpty) else { break }
      run.append(next)
      rest.removeFirst()
    }
    if run.hasSuffix("'s") || run.hasSuffix("'S"), run.count > 2 {
      return split(String(run.dropLast(2))) + [.ending]
    }
    return split(run)
  }

  /// Splits at capital letters: “GitHub” and “XMLFile” are two words, “PCs” is one with an ending,
  /// “McDonald” stays one.
  private static func split(_ run: String) -> [Token] {
    let letters = Array(run)
    if letters.count > 2, letters.last == "s", letters.dropLast().allSatisfy(\.isUppercase) {
      return [.word(String(letters.dropLast())), .ending]
    }
    var parts: [String] = []
    var part = ""
    for (index, letter) in letters.enumerated() {
      let isAfterSmall = index > 0 && letter.isUppercase && letters[index - 1].isLowercase
      let isLastCapital =
        index > 0 && letter.isUppercase && letters[index - 1].isUppercase
        && index + 1 < letters.count && letters[index + 1].isLowercase
      if (isAfterSmall || isLastCapital) && part != "Mc" && part != "Mac" && part != "O'" {
        parts.append(part)
        part = ""
      }
      part.append(letter)
    }
    return (parts + [part]).filter { !$0.isEmpty }.map { .word($0) }
  }
}

extension Character {
  var isEnglishDigit: Bool { isASCII && isNumber }
  var isEnglishLetter: Bool { isASCII && isLetter }
}

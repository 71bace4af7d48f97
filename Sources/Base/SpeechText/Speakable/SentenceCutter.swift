/// Cuts text that is too long to be spoken at once.
package enum SentenceCutter {
  /// The unit that ends at a cut.
  package enum Kind: Sendable, Equatable {
    case sentence
    case clause
    case word
  }

  /// The best place for a cut within the limit: the last end of a sentence, else of a clause, else
  /// the last blank, else the limit itself.
  package static func cut(
    _ scalars: [Unicode.Scalar], limit: Int
  ) -> (index: Int, kind: Kind) {
    var clause = 0
    var word = 0
    var sentence = 0
    let end = min(limit, scalars.count)
    var index = 0
    while index < end {
      let scalar = scalars[index]
      if let after = endOfSentence(scalars, at: index) {
        if after <= limit { sentence = after }
      } else if let after = endOfClause(scalars, at: index), after <= limit {
        clause = after
      } else if scalar.isBlank {
        word = index + 1
      }
      index += 1
    }
    if sentence > 0 { return (sentence, .sentence) }
    if clause > 0 { return (clause, .clause) }
    if word > 0 { return (word, .word) }
    return (end, .word)
  }

  /// The index after the sentence that ends with the scalar at the index; `nil` unless one
  /// certainly does.
  package static func endOfSentence(_ scalars: [Unicode.Scalar], at index: Int) -> Int? {
    switch scalars[index].value {
    case 0x3002, 0xFF01, 0xFF1F, 0x0964, 0x0965:  // 。！？ and dandas need no blank behind them
      let after = index + 1
      guard after < scalars.count, !isClosing(scalars[after]) else { return nil }
      return skippingBlanks(scalars, from: after)
    case 0x2E, 0x21, 0x3F, 0x061F, 0x06D4, 0x0589, 0x1362, 0x1367:
      break
    case 0x0A:
      return endOfParagraph(scalars, at: index)
    default:
      return nil
    }
    guard index + 1 < scalars.count else { return nil }
    let next = scalars[index + 1]
    if next.value == 0x22 || next.value == 0x201D || next.value == 0x29 {
      return isLikelyAbbreviation(scalars, dotAt: index, before: next) ? nil : index + 1
    }
    guard next.isBlank, let after = skippingBlanks(scalars, from: index + 1) else { return nil }
    let following = scalars[after]
    if scalars[index].value == 0x2E {
      if following.properties.isLowercase || following.value == 0x27 { return nil }
      if isLikelyAbbreviation(scalars, dotAt: index, before: following) { return nil }
    }
    return after
  }

  /// Returns true if the text probably ends with a sentence, although what follows is not known.
  package static func isAtEndOfSentence(_ scalars: [Unicode.Scalar]) -> Bool {
    guard let last = scalars.lastIndex(where: { !$0.isBlank && !isClosing($0) }) else {
      return false
    }
    return endOfSentence(scalars + [" ", "A"], at: last) != nil
  }

  private static func endOfParagraph(_ scalars: [Unicode.Scalar], at index: Int) -> Int? {
    guard index > 0, scalars[index - 1].value == 0x0A else { return nil }
    return skippingBlanks(scalars, from: index + 1)
  }

  static func endOfClause(_ scalars: [Unicode.Scalar], at index: Int) -> Int? {
    switch scalars[index].value {
    case 0x3001, 0xFF0C, 0xFF1B, 0xFF1A: return index + 1  // 、，；：
    case 0x2C, 0x3B, 0x3A, 0x060C, 0x061B, 0x0387, 0x1363...0x1366, 0x2014: break
    default: return nil
    }
    guard index + 1 < scalars.count, scalars[index + 1].isBlank else { return nil }
    return skippingBlanks(scalars, from: index + 1)
  }

  /// The first index from the start that is not a blank; `nil` if the text ends before.
  private static func skippingBlanks(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
    var index = start
    while index < scalars.count {
      if !scalars[index].isBlank { return index }
      index += 1
    }
    return nil
  }

  private static func isClosing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x22, 0x27, 0x29, 0x5D, 0x201D, 0x2019, 0x300D, 0x300F, 0xFF09: true
    default: false
    }
  }

  /// True if the dot may belong to the word in front of it: `Mr.`, `e.g.`, `3.`
  private static func isLikelyAbbreviation(
    _ scalars: [Unicode.Scalar], dotAt index: Int, before following: Unicode.Scalar
  ) -> Bool {
    guard scalars[index].value == 0x2E else { return false }
    let longest = 12
    var start = index
    while start > 0, !scalars[start - 1].isBlank, index - start < longest {
      start -= 1
    }
    return Abbreviation.isLikely(scalars[start..<index], before: following)
  }
}

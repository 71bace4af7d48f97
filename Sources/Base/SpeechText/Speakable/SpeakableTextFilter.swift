import Foundation

/// Removes from text, scalar by scalar, whatever would harm a synthesiser or is not audible.
///
/// - Control characters are removed, except line feed and tab, and so are invisible format
///   characters.
/// - All kinds of blanks become a space, all kinds of line ends a line feed.
/// - Letters with separate accents become composed ones; full-width and similar forms become plain.
/// - Characters outside of the voice's writing system become a space, or are removed if they are
///   marks on a letter.
/// - Digits of all scripts become ASCII digits.
/// - Runs without a blank are broken, and so are long numbers and runs with many apostrophes.
/// - Hyphens before a letter become spaces unless they join it to what precedes them.
package struct SpeakableTextFilter: Sendable {
  /// The voice's writing system, which may change in the middle of a text.
  package var writing: WritingSystem
  private static let mostApostrophes = 3
  private static let mostRepetitions = 8
  private static let mostNumberParts = 8
  private var run = 0
  private var digits = 0
  /// Full stops and commas between digits.
  private var numberParts = 0
  private var apostrophes = 0
  private var repetitions = 0
  private var accents = 0
  private var previous: UInt32 = 0
  private var previousOutput: UInt32 = 0

  /// Creates a filter for voices of a writing system.
  package init(writing: WritingSystem) {
    self.writing = writing
  }

  /// Appends the filtered form of a scalar at that range of the original text.
  package mutating func append(
    _ scalar: Unicode.Scalar, from origin: Range<Int>, to text: inout SpeakableText
  ) {
    let before = previous
    previous = scalar.value
    switch scalar.value {
    case 0x0A where before == 0x0D: return
    case 0x09, 0x0A: emit(scalar, origin, &text)
    case 0x0B, 0x0C, 0x0D, 0x85, 0x2028: emit("\n", origin, &text)
    case 0x2029:
      emit("\n", origin, &text)
      emit("\n", origin, &text)
    case 0..<0x20, 0x7F..<0xA0: return
    case 0x20..<0x7F: emit(writing.contains(scalar) ? scalar : " ", origin, &text)
    case 0xA0, 0x1680, 0x2000...0x200B, 0x202F, 0x205F, 0x3000: emit(" ", origin, &text)
    case 0xAD, 0x200E...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0xFE00...0xFE0F, 0xFEFF: return
    case 0x300...0x36F: compose(scalar, origin, &text)
    default: appendOther(scalar, origin, &text)
    }
  }

  private mutating func appendOther(
    _ scalar: Unicode.Scalar, _ origin: Range<Int>, _ text: inout SpeakableText
  ) {
    if let digit = scalar.asciiDigit {
      emit(digit, origin, &text)
    } else if writing.contains(scalar) {
      emit(scalar, origin, &text)
    } else if writing.isASCII, let plain = Self.plainForm(of: scalar) {
      for part in plain { emit(part, origin, &text) }
    } else if scalar.value == 0x964 || scalar.value == 0x965 {
      // Dandas also end sentences outside of Devanagari, and crash the voices of other scripts.
      emit(".", origin, &text)
    } else if scalar.value == 0x200C || scalar.value == 0x200D
      || scalar.properties.generalCategory == .nonspacingMark
    {
      return
    } else if scalar.hasPlainForm {
      let plain = String(scalar).precomposedStringWithCompatibilityMapping.unicodeScalars
      for part in plain { emit(writing.contains(part) ? part : " ", origin, &text) }
    } else {
      emit(" ", origin, &text)
    }
  }

  /// The ASCII form of a character: a letter without its accents, a plain quotation mark.
  private static func plainForm(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    switch scalar.value {
    case 0x2010...0x2012: return ["-"]
    case 0x2013...0x2015: return [" ", "-", " "]
    case 0x2018...0x201B: return ["'"]
    case 0x201C...0x201F, 0xAB, 0xBB: return ["\""]
    case 0x2026: return [".", ".", "."]
    case 0xA3: return Array(" pounds ".unicodeScalars)
    case 0x20AC: return Array(" euros ".unicodeScalars)
    case 0xC0...0x24F, 0x1E00...0x1EFF:
      let special: [UInt32: String] = [
        0xC6: "Ae", 0xD8: "O", 0xDF: "ss", 0xE6: "ae", 0xF8: "o", 0x141: "L", 0x142: "l",
        0x152: "Oe", 0x153: "oe",
      ]
      if let letters = special[scalar.value] { return Array(letters.unicodeScalars) }
      let base = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first
      guard let base, base.isASCII else { return nil }
      return [base]
    default: return nil
    }
  }

  /// Joins an accent to the letter in front of it, or drops it.
  private mutating func compose(
    _ accent: Unicode.Scalar, _ origin: Range<Int>, _ text: inout SpeakableText
  ) {
    guard let letter = text.scalars.last, !letter.isBlank, accents < 3 else { return }
    accents += 1
    var pair = String.UnicodeScalarView()
    pair.append(letter)
    pair.append(accent)
    let composed = String(pair).precomposedStringWithCanonicalMapping.unicodeScalars
    guard composed.count == 1, let one = composed.first, writing.contains(one) else { return }
    text.replaceLast(with: one, upTo: origin.upperBound)
  }

  private mutating func emit(
    _ scalar: Unicode.Scalar, _ origin: Range<Int>, _ text: inout SpeakableText
  ) {
    accents = 0
    repetitions = scalar.value == previousOutput ? repetitions + 1 : 0
    previousOutput = scalar.value
    if scalar.isBlank {
      startRun()
      // Further blanks in a row have no effect on the voice.
      if repetitions < Self.mostRepetitions { text.append(scalar, from: origin) }
      return
    }
    // No word repeats a letter this often, and the rules of the libraries recurse over such
    // runs.
    if repetitions >= Self.mostRepetitions && !scalar.isDigit { return }
    if scalar.value == 0x27 || scalar.value == 0x2019 || scalar.value == 0x2018 {
      apostrophes += 1
    }
    if !scalar.isNeutral { dropLooseHyphen(&text) }
    if run >= writing.longestRun || apostrophes > Self.mostApostrophes || isNumberTooLong(scalar)
      || text.scalars.last.map({ writing.mustSeparate($0, scalar) }) == true
    {
      text.append(" ", from: origin.lowerBound..<origin.lowerBound)
      startRun()
    }
    count(scalar)
    text.append(scalar, from: origin)
  }

  private mutating func startRun() {
    run = 0
    apostrophes = 0
    digits = 0
    numberParts = 0
  }

  private mutating func count(_ scalar: Unicode.Scalar) {
    run += 1
    if scalar.isDigit {
      digits += 1
    } else if scalar == "." || scalar == "," {
      digits = 0
      numberParts += 1
    } else {
      digits = 0
      numberParts = 0
    }
  }

  private func isNumberTooLong(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isDigit && (digits >= writing.longestNumber || numberParts >= Self.mostNumberParts)
  }

  /// Replaces a hyphen at the end by a space if it is not part of a word, or not allowed for this
  /// voice.
  private func dropLooseHyphen(_ text: inout SpeakableText) {
    guard text.scalars.last == "-" else { return }
    if writing.keepsHyphens, let before = text.scalars.dropLast().last,
      before.isLetter || before.isDigit
    {
      return
    }
    text.replaceLast(with: " ", upTo: 0)
  }
}

extension Unicode.Scalar {
  /// True for the blocks whose members stand for one or two plainer characters.
  fileprivate var hasPlainForm: Bool {
    switch value {
    case 0x2000...0x206F, 0x2070...0x209C, 0x2100...0x218F, 0x2460...0x24FF: true
    case 0x3300...0x33FF, 0xF900...0xFAFF, 0xFB00...0xFEFC, 0xFF01...0xFFEE: true
    case 0x1D400...0x1D7FF, 0x1F100...0x1F1E5: true
    default: false
    }
  }

  fileprivate var isDigit: Bool { 0x30...0x39 ~= value }

  /// The ASCII digit for a digit of another script.
  fileprivate var asciiDigit: Unicode.Scalar? {
    guard value > 0x7F, properties.generalCategory == .decimalNumber,
      let number = properties.numericValue
    else { return nil }
    return Unicode.Scalar(UInt8(0x30 + number))
  }

  /// True for characters that are not letters in any script.
  fileprivate var isNeutral: Bool {
    switch value {
    case 0x41...0x5A, 0x61...0x7A: false
    case ..<0x80, 0x2010...0x2026: true
    default: false
    }
  }

  /// True for characters that are certainly letters.
  fileprivate var isLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .otherLetter: true
    default: false
    }
  }
}

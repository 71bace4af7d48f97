/// English number words, without hyphens.
package enum EnglishNumber {
  private static let small = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
  ]
  private static let tens = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
  ]
  private static let groups = [
    (1_000_000_000_000, "trillion"), (1_000_000_000, "billion"), (1_000_000, "million"),
    (1_000, "thousand"),
  ]
  private static let ordinals = [
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
  ]

  /// The words of a number below 10^15.
  package static func cardinal(_ number: Int) -> [String] {
    if number < 20 { return [small[max(number, 0)]] }
    if number < 100 {
      return [tens[number / 10]] + (number % 10 == 0 ? [] : [small[number % 10]])
    }
    if number < 1000 {
      return [small[number / 100], "hundred"] + (number % 100 == 0 ? [] : cardinal(number % 100))
    }
    for (size, name) in groups where number >= size {
      return cardinal(number / size) + [name] + (number % size == 0 ? [] : cardinal(number % size))
    }
    return []
  }

  package static func ordinal(_ number: Int) -> [String] {
    var words = cardinal(number)
    guard let last = words.popLast() else { return [] }
    let ending = last.hasSuffix("y") ? last.dropLast() + "ieth" : last + "th"
    return words + [ordinals[last] ?? ending]
  }

  /// The words of a number from 1000 to 9999 as a year or a house number: nineteen eighty four,
  /// nineteen oh five.
  package static func pairs(_ number: Int) -> [String]? {
    guard (1000...9999).contains(number), number % 1000 != 0 else { return nil }
    let (century, rest) = (number / 100, number % 100)
    if century % 10 == 0, rest < 10 { return nil }
    switch rest {
    case 0: return cardinal(century) + ["hundred"]
    case 1..<10: return cardinal(century) + ["oh", small[rest]]
    default: return cardinal(century) + cardinal(rest)
    }
  }

  /// The words of a number spoken digit by digit.
  package static func digits(_ text: some Sequence<Character>, zero: String = "zero") -> [String] {
    text.compactMap { character in
      guard let digit = character.wholeNumberValue, character.isASCII else { return nil }
      return digit == 0 ? zero : small[digit]
    }
  }

  /// All ways to read digits aloud, the likeliest first.
  package static func readings(of text: String) -> [[String]] {
    guard let number = Int(text), text.count <= 15, number >= 0 else {
      return [digits(text), digits(text, zero: "oh")]
    }
    var readings: [[String]] = []
    if text.first == "0", text.count > 1 {
      readings = [digits(text, zero: "oh"), digits(text)]
      // 007 is read like this; 05 as five, in times and dates.
      if text.count == 2 { readings.append(cardinal(number)) }
      return readings
    }
    if let pairs = pairs(number), (1100...2099).contains(number) { readings.append(pairs) }
    if number < 10_000 || number % 100 == 0 { readings.append(cardinal(number)) }
    if (100...999).contains(number), number % 100 != 0 {
      // One oh five, one fifty.
      let rest = number % 100
      readings.append(
        cardinal(number / 100) + (rest < 10 ? ["oh"] : []) + cardinal(rest))
    }
    if number >= 100 { readings.append(digits(text)) }
    if let pairs = pairs(number), !readings.contains(pairs) { readings.append(pairs) }
    if number >= 10_000, number % 100 != 0 { readings.append(cardinal(number)) }
    var seen: Set<[String]> = []
    return readings.filter { seen.insert($0).inserted }
  }
}

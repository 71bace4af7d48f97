/// The distance between two pronunciations: the cost of turning one into the other, relative to the
/// length of the longer one.
enum PhoneDistance {
  /// The cost of an additional phone.
  private static let insertion = 0.8

  private static let vowels: Set = [
    "AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW",
  ]
  /// Phones that are formed in nearly the same way.
  private static let twins = numbered([
    ["P", "B"], ["T", "D"], ["K", "G"], ["F", "V"], ["TH", "DH"], ["S", "Z"], ["SH", "ZH"],
    ["CH", "JH"], ["M", "N", "NG"], ["L", "R", "W", "Y"],
  ])
  private static let manners = numbered([
    ["P", "B", "T", "D", "K", "G", "CH", "JH"],
    ["F", "V", "TH", "DH", "S", "Z", "SH", "ZH", "HH"],
    ["M", "N", "NG", "L", "R", "W", "Y"],
  ])

  private static func numbered(_ classes: [[String]]) -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: classes.enumerated().flatMap { number, phones in
        phones.map { ($0, number) }
      })
  }

  private static func substitution(_ one: String, _ other: String) -> Double {
    if one == other { return 0 }
    if vowels.contains(one), vowels.contains(other) { return 0.5 }
    if let twin = twins[one], twin == twins[other] { return 0.4 }
    if let manner = manners[one], manner == manners[other] { return 0.7 }
    return 1
  }

  static func between(_ one: [String], _ other: [String]) -> Double {
    var row = (0...other.count).map { Double($0) * insertion }
    for (index, phone) in one.enumerated() {
      var diagonal = row[0]
      row[0] = Double(index + 1) * insertion
      for (place, candidate) in other.enumerated() {
        let least = min(
          diagonal + substitution(phone, candidate), row[place] + insertion,
          row[place + 1] + insertion)
        diagonal = row[place + 1]
        row[place + 1] = least
      }
    }
    return (row.last ?? 0) / Double(max(one.count, other.count, 1))
  }
}

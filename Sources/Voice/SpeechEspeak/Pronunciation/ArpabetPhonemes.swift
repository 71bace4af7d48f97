/// Context-free facts about eSpeak NG's phonemes of American English and about ARPAbet.
///
/// The tables equal those of Scripts/pronunciation-table, which learns from the alignments they
/// produce.
enum ArpabetPhonemes {
  /// The nearest phones for each phoneme. In eSpeak, a vowel with its r, a syllabic consonant and a
  /// flap are phonemes of their own.
  static let plain: [String: [String]] = {
    let lines = [
      "AH @ @2 @- a# V", "IH I I2 I#", "AE a aa", "EH E", "IY i i: i::", "AA 0 A:", "OW oU o",
      "EY eI", "AY aI", "AW aU", "OY OI", "UW u:", "UH U", "ER 3 3:", "AO O: O2 O", "AA,N A~",
      "AO,N O~", "AA,R A@", "AO,R o@ O@", "EH,R e@", "IY,AH i@", "IH,R i@3", "UH,R U@",
      "AY,ER aI3", "AY,AH aI@", "AH,L @L", "AH,N n-", "R r r-", "T t t# t2 ?", "Y j ;", "K k x",
      "L l l#", "N n", "S s", "D d", "M m", "Z z", "B b", "P p", "F f", "G g", "NG N", "V v",
      "HH h", "SH S", "W w", "JH dZ", "CH tS", "TH T", "DH D", "ZH Z",
    ]
    var table: [String: [String]] = [:]
    for line in lines {
      let fields = line.split(separator: " ").map(String.init)
      for symbol in fields.dropFirst() {
        table[symbol] = fields[0].split(separator: ",").map(String.init)
      }
    }
    return table
  }()

  static let vowels: Set<String> = [
    "AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW",
  ]

  /// The letters that can represent each phone.
  static let letters: [String: Set<UInt8>] = {
    let pairs = [
      "AA": "aoeiu", "AE": "ai", "AH": "aeiouy", "AO": "aou", "AW": "aou", "AY": "iyea",
      "EH": "eaiu", "ER": "eiroua", "EY": "aeiy", "IH": "iyeaou", "IY": "eiyao", "OW": "oeau",
      "OY": "oiy", "UH": "ouw", "UW": "ouew", "B": "b", "CH": "ct", "D": "d", "DH": "t", "F": "fp",
      "G": "gx", "HH": "hj", "JH": "jgd", "K": "kcqx", "L": "l", "M": "m", "N": "n", "NG": "n",
      "P": "p", "R": "r", "S": "scxz", "SH": "stc", "T": "td", "TH": "t", "V": "vfw", "W": "wuo",
      "Y": "yijue", "Z": "zsx", "ZH": "szgj",
    ]
    return pairs.mapValues { Set($0.utf8) }
  }()

  /// Returns the position of the letter of each phoneme, by the alignment of lowest cost. A phoneme
  /// without a letter belongs to the letter of the previous phoneme.
  static func places(of phonemes: [EspeakPhoneme], in word: [UInt8]) -> [Int] {
    let (rows, columns) = (phonemes.count, word.count)
    guard rows > 0 else { return [] }
    let width = columns + 1
    var cost = [Double](repeating: 0, count: (rows + 1) * width)
    var step = [UInt8](repeating: 2, count: cost.count)
    for column in 0...columns { cost[column] = Double(column) }
    for row in 1...rows {
      cost[row * width] = Double(row) * 1.5
      step[row * width] = 1
      let phone = plain[phonemes[row - 1].symbol]?.first ?? ""
      let fitting = letters[phone] ?? []
      let isVowel = vowels.contains(phone)
      for column in stride(from: 1, through: columns, by: 1) {
        let letter = word[column - 1]
        let unlike = fitting.contains(letter) ? 0.0 : isVowel == isVowelLetter(letter) ? 1 : 4
        let here = row * width + column
        cost[here] = cost[here - width - 1] + unlike
        step[here] = 0
        if cost[here - width] + 1.5 < cost[here] {
          (cost[here], step[here]) = (cost[here - width] + 1.5, 1)
        }
        if cost[here - 1] + 1 < cost[here] { (cost[here], step[here]) = (cost[here - 1] + 1, 2) }
      }
    }
    var places = [Int](repeating: -1, count: rows)
    var (row, column) = (rows, columns)
    while row > 0 || column > 0 {
      let way = step[row * width + column]
      if way != 2 { row -= 1 }
      if way != 1 { column -= 1 }
      if way == 0 { places[row] = column }
    }
    var last = 0
    for index in places.indices {
      if places[index] < 0 { places[index] = last }
      last = places[index]
    }
    return places
  }

  private static func isVowelLetter(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"),
      UInt8(ascii: "u"), UInt8(ascii: "y"):
      true
    default: false
    }
  }
}

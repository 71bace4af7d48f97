/// Words that were certainly not said: the same numbers of phones of the same classes, none of
/// which sounds like the original.
///
/// Words that were spoken fit the audio far better than their decoys, also in noise, in which all
/// phones fit badly. In audio without speech both fit equally well.
enum PhoneDecoy: CaseIterable {
  case first
  case second

  private static let firstPhones = [
    "AA": "IY", "AE": "UW", "AH": "EY", "AO": "IH", "AW": "EH", "AY": "OW", "EH": "AW", "ER": "AE",
    "EY": "AA", "IH": "AO", "IY": "AA", "OW": "IY", "OY": "EH", "UH": "AE", "UW": "AE", "P": "Z",
    "B": "S", "T": "M", "D": "SH", "K": "N", "G": "F", "CH": "L", "JH": "W", "F": "NG", "V": "K",
    "TH": "R", "DH": "CH", "S": "B", "Z": "P", "SH": "D", "ZH": "T", "HH": "M", "M": "T", "N": "K",
    "NG": "F", "L": "CH", "R": "TH", "W": "JH", "Y": "G",
  ]
  private static let secondPhones = [
    "AA": "UW", "AE": "OW", "AH": "IY", "AO": "EY", "AW": "IY", "AY": "UW", "EH": "AO", "ER": "IY",
    "EY": "UH", "IH": "AA", "IY": "AO", "OW": "EH", "OY": "AE", "UH": "EY", "UW": "EH", "P": "L",
    "B": "F", "T": "W", "D": "S", "K": "M", "G": "Z", "CH": "N", "JH": "HH", "F": "L", "V": "SH",
    "TH": "M", "DH": "K", "S": "N", "Z": "G", "SH": "R", "ZH": "P", "HH": "NG", "M": "S", "N": "F",
    "NG": "T", "L": "K", "R": "P", "W": "CH", "Y": "B",
  ]

  func phones(for phones: [String]) -> [String] {
    let table = self == .first ? Self.firstPhones : Self.secondPhones
    return phones.map { table[$0] ?? $0 }
  }
}

import SpeechTesting

/// The word errors of recognised text.
struct WordErrors {
  private var errors = ErrorRate()

  var words: Int { errors.count }

  /// Errors as a percentage of the spoken words.
  var rate: Double { 100 * errors.rate }

  mutating func add(said: String, heard: String) {
    errors.add(said: Self.words(of: said), heard: Self.words(of: heard))
  }

  /// Hesitations, which are not words.
  private static let fillers: Set<String> = ["um", "uh", "ah", "hmm", "mm", "er"]

  /// Alternative spellings.
  private static let spellings = [
    "today": ["to", "day"], "forever": ["for", "ever"], "alright": ["all", "right"],
    "gonna": ["going", "to"], "smokestack": ["smoke", "stack"], "mister": ["mr"],
    "missus": ["mrs"], "honour": ["honor"], "colour": ["color"], "neighbour": ["neighbor"],
    "specialised": ["specialized"], "o": ["oh"],
  ]

  /// Returns the words in a uniform spelling, without noise marks, pronunciation numbers and
  /// punctuation.
  static func words(of text: String) -> [String] {
    var plain = ""
    var closing: Character?
    for character in text.lowercased() {
      if let end = closing {
        if character == end { closing = nil }
        continue
      }
      switch character {
      case "<": closing = ">"
      case "[": closing = "]"
      case "(": closing = ")"
      case "’", "'": plain.append("'")
      case "a"..."z", "0"..."9": plain.append(character)
      default: plain.append(" ")
      }
    }
    return plain.split(separator: " ").flatMap { field -> [String] in
      let bare = field.drop { $0 == "'" }
      let word = String(bare.reversed().drop { $0 == "'" }.reversed())
      if word.isEmpty || fillers.contains(word) { return [] }
      return spellings[word] ?? [word]
    }
  }
}

/// The errors of commands whose transcript lists values (`[slots] size=small drink=house_coffee`).
/// A command is correct if the words of each value were recognised in sequence.
struct CommandErrors {
  static let mark = "[slots]"

  private(set) var commands = 0
  private(set) var wrong = 0

  /// The percentage of commands with an error.
  var rate: Double { commands == 0 ? 0 : 100 * Double(wrong) / Double(commands) }

  mutating func add(said: String, heard: String) {
    let line = " " + WordErrors.words(of: heard).joined(separator: " ") + " "
    let values = said.split(separator: " ").dropFirst().map { slot in
      slot.split(separator: "=").last.map(String.init) ?? ""
    }
    let isRight = values.allSatisfy { value in
      line.contains(" \(value.split(separator: "_").joined(separator: " ")) ")
    }
    commands += 1
    if !isRight { wrong += 1 }
  }
}

import SpeechCore

/// A word as eSpeak NG says it, on its way into ARPAbet.
struct ArpabetReading {
  let phonemes: [EspeakPhoneme]
  /// The word, in small letters.
  let letters: [UInt8]

  /// The likeliest pronunciations, the likeliest first.
  func pronunciations(limit: Int, trees: ArpabetTrees) -> [Pronunciation] {
    // Phonemes of other languages have no place in it.
    let phonemes = phonemes.filter { ArpabetPhonemes.plain[$0.symbol] != nil }
    guard !phonemes.isEmpty, phonemes.count <= 100 else { return [] }
    let surroundings = Surroundings(phonemes: phonemes, letters: letters)
    var best: [(phones: [String], share: Double)] = [([], 1)]
    for index in phonemes.indices {
      let answer =
        trees.answer(for: phonemes[index].symbol) { surroundings.value($0, at: index) }
        ?? [(ArpabetPhonemes.plain[phonemes[index].symbol] ?? [], 1)]
      guard answer.count > 1 else {
        for path in best.indices {
          best[path].phones += answer[0].phones
          best[path].share *= answer[0].share
        }
        continue
      }
      var longer: [(phones: [String], share: Double)] = []
      for path in best {
        for choice in answer {
          longer.append((path.phones + choice.phones, path.share * choice.share))
        }
      }
      longer.sort { $0.share > $1.share }
      // More than are asked for, because two of them may come to the same.
      best = Array(longer.prefix(4 * limit))
    }
    var order: [[String]] = []
    var shares: [[String]: Double] = [:]
    for path in best where !path.phones.isEmpty {
      if shares[path.phones] == nil { order.append(path.phones) }
      shares[path.phones, default: 0] += path.share
    }
    return order.prefix(limit).map {
      Pronunciation(
        phones: $0, phoneSet: .arpabet, origin: .spelling, confidence: min(shares[$0] ?? 0, 1))
    }
  }

  /// What the questions of the trees are about.
  private struct Surroundings {
    let phonemes: [EspeakPhoneme]
    let letters: [UInt8]
    let places: [Int]

    init(phonemes: [EspeakPhoneme], letters: [UInt8]) {
      self.phonemes = phonemes
      self.letters = letters
      places = ArpabetPhonemes.places(of: phonemes, in: letters)
    }

    func value(_ subject: UInt8, at index: Int) -> String {
      switch Character(Unicode.Scalar(subject)) {
      case "b": stress(index)
      case "c": letter(places[index])
      case "d": letter(places[index] - 1)
      case "e": letter(places[index] + 1)
      case "f": letter(places[index] - 2)
      case "g": letter(places[index] + 2)
      case "h": letter(places[index] + 3)
      case "i": symbol(index - 1)
      case "j": symbol(index + 1)
      case "k": symbol(index - 2)
      case "l": symbol(index + 2)
      case "m": String(min(phonemes.count - 1 - index, 4))
      case "n": String(min(index, 3))
      case "o": stress(index - 1)
      case "p": stress(index + 1)
      default: ""
      }
    }

    private func stress(_ index: Int) -> String {
      let stress = phonemes.indices.contains(index) ? phonemes[index].stress : .outside
      return String(Character(Unicode.Scalar(stress.rawValue)))
    }

    private func symbol(_ index: Int) -> String {
      phonemes.indices.contains(index) ? phonemes[index].symbol : "#"
    }

    private func letter(_ index: Int) -> String {
      letters.indices.contains(index) ? String(Character(Unicode.Scalar(letters[index]))) : "#"
    }
  }
}

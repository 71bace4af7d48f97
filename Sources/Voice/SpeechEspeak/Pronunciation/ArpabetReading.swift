import SpeechCore

/// A word as spoken by eSpeak NG, to be converted into ARPAbet.
struct ArpabetReading {
  let phonemes: [EspeakPhoneme]
  /// The word, in lower case.
  let letters: [UInt8]

  /// Returns the most probable pronunciations, in descending order.
  func pronunciations(limit: Int, trees: ArpabetTrees) -> [Pronunciation] {
    // Phonemes of other languages have no equivalent.
    let phonemes = phonemes.filter { ArpabetPhonemes.plain[$0.symbol] != nil }
    guard !phonemes.isEmpty, phonemes.count <= 100 else { return [] }
    let context = Context(phonemes: phonemes, letters: letters)
    var best: [(phones: [String], share: Double)] = [([], 1)]
    for index in phonemes.indices {
      let answer =
        trees.answer(for: phonemes[index].symbol) { context.value($0, at: index) }
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
      // More than the limit, because two of them may become equal.
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

  /// The features that the trees ask for.
  private struct Context {
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

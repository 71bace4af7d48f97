import Foundation
import SpeechText

/// Looks up the pronunciations of a word in the dictionaries of the user and of the model, and
/// derives others from its parts and its spelling.
package struct WordPronouncer: Sendable {
  /// The maximum number of derived pronunciations of a word.
  package static let mostVariants = 3
  /// Pronunciations that are less likely than this fraction of the best are not recognised: each
  /// makes other words harder to tell apart.
  static let leastShare = 0.2

  private let locale: Locale
  private let phones: Set<String>
  private let user: [String: [[String]]]
  private let source: AnyPronunciationSource?

  /// - Parameters:
  ///   - phones: the phones of the model.
  ///   - user: the user's own pronunciations.
  package init(
    locale: Locale, phones: Set<String>, user: [String: [[String]]],
    source: AnyPronunciationSource?
  ) {
    self.locale = locale
    self.phones = phones
    self.user = user
    self.source = source
  }

  private var isEnglish: Bool {
    locale.isEnglish && phones.isSuperset(of: EnglishPhones.letters.values.joined())
  }

  /// The user's pronunciations of the word that consist of the model's phones.
  package func userPronunciations(of word: String) -> [Pronunciation] {
    (user[word] ?? user[word.lowercased()] ?? []).filter(phones.isSuperset).map {
      Pronunciation(phones: $0, phoneSet: .model, origin: .userDictionary)
    }
  }

  /// The derived pronunciations of a word that no dictionary contains, the likeliest first,
  /// including those that are too unlikely to be used.
  ///
  /// - Parameter dictionary: the pronunciations in the model's dictionary; empty if it lacks the
  ///   word.
  package func made(
    for word: String, dictionary: (String) -> [[String]]
  ) throws -> [Pronunciation] {
    guard let source else { return [] }
    var made =
      isEnglish
      ? try withoutActuallyEscaping(dictionary) {
        try Maker(pronouncer: self, source: source, dictionary: $0).english(word)
      }
      : try source.pronunciations(of: word.lowercased(), locale: locale)
    made = made.filter { !$0.phones.isEmpty && $0.phones.count <= 100 }
      .filter { phones.isSuperset(of: $0.phones) }
    var seen: Set<[String]> = []
    // Stable, so that the first of equal readings comes first.
    return made.enumerated()
      .sorted { ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset) }
      .map(\.element).filter { seen.insert($0.phones).inserted }
  }

  /// The pronunciations that are likely enough to be used.
  package static func used(_ made: [Pronunciation]) -> [Pronunciation] {
    guard let best = made.first?.confidence else { return [] }
    return Array(made.prefix { $0.confidence >= best * leastShare }.prefix(mostVariants))
  }

  /// The recognised pronunciations, and the further candidates.
  ///
  /// - Parameter isSupplied: true if a recogniser was given the derived pronunciations of the word,
  ///   which are not to be mistaken for those of the dictionary.
  package func explanation(
    of word: String, isSupplied: Bool = false, dictionary: (String) -> [[String]]
  ) throws -> WordExplanation {
    let user = userPronunciations(of: word)
    let spelling = dictionary(word).isEmpty ? word.lowercased() : word
    let known = dictionary(spelling).filter { phones in !user.contains { $0.phones == phones } }
      .map { Pronunciation(phones: $0, phoneSet: .model, origin: .dictionary) }
    let made = try self.made(for: word, dictionary: dictionary)
    let isKnown = !user.isEmpty || !known.isEmpty
    let used = user + known + (isKnown && !isSupplied ? [] : Self.used(made))
    let others = made.filter { one in !used.contains { $0.phones == one.phones } }
    return WordExplanation(
      word: word, pronunciations: used, others: Array(others.prefix(Self.mostVariants)),
      advice: advice(word, isKnown: isKnown, isUser: !user.isEmpty, isUsable: !used.isEmpty))
  }

  private func advice(
    _ word: String, isKnown: Bool, isUser: Bool, isUsable: Bool
  ) -> String {
    // Quoted as a shell needs it.
    let quoted = word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } ? word : "'\(word)'"
    if !isUsable {
      return "Its pronunciation is unknown. Set it: speechkit words set \(quoted) PHONES"
    }
    if isUser { return "To remove it: speechkit words remove \(quoted)" }
    let remedy = "speechkit words set \(quoted) PHONES"
    return isKnown
      ? "To add another pronunciation: \(remedy)"
      : "To correct it: \(remedy)"
  }

  /// Combines the parts of a word.
  private struct Maker {
    let pronouncer: WordPronouncer
    let source: AnyPronunciationSource
    let dictionary: (String) -> [[String]]

    func english(_ word: String) throws -> [Pronunciation] {
      let readings = EnglishReading.all(of: word)
      var made: [Pronunciation] = []
      for (rank, reading) in readings.enumerated() {
        let ways = try pronunciations(of: reading)
        let best = ways.first?.confidence ?? 1
        for var one in ways {
          // The confidence of a spelling is independent of the likelihood of its reading.
          one.confidence /= best * Double(1 + rank)
          if reading.text != word.lowercased() { one.reading = reading.text }
          made.append(one)
        }
      }
      let total = made.reduce(0) { $0 + $1.confidence }
      return made.map { one in
        var one = one
        one.confidence /= total
        return one
      }
    }

    private func pronunciations(of reading: EnglishReading) throws -> [Pronunciation] {
      var made = [Pronunciation(phones: [], phoneSet: .arpabet, origin: .derived)]
      for part in reading.parts {
        let choices = try choices(for: part, behind: made)
        guard !choices.isEmpty else { return [] }
        var joined: [Pronunciation] = []
        for one in made {
          for choice in choices {
            let phones =
              choice.phones.isEmpty ? EnglishPhones.ending(behind: one.phones) : choice.phones
            joined.append(
              Pronunciation(
                phones: one.phones + phones, phoneSet: .arpabet,
                origin: choice.origin == .spelling ? .spelling : one.origin,
                confidence: one.confidence * choice.confidence))
          }
        }
        made = Array(
          joined.enumerated()
            .sorted { ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset) }
            .prefix(2 * WordPronouncer.mostVariants).map(\.element))
      }
      return made
    }

    /// The pronunciations of a part; without phones where they depend on the preceding ones.
    private func choices(
      for part: EnglishReading.Part, behind made: [Pronunciation]
    ) throws -> [Pronunciation] {
      switch part {
      case .ending: return [Pronunciation(phones: [], phoneSet: .arpabet, origin: .derived)]
      case .letter(let letter):
        return EnglishPhones.letters[letter].map {
          [Pronunciation(phones: $0, phoneSet: .arpabet, origin: .derived)]
        } ?? []
      case .word(let word):
        let known = known(word)
        if !known.isEmpty { return known }
        for stem in EnglishPhones.stems(of: word) {
          let known = self.known(stem)
          if !known.isEmpty {
            return known.map { one in
              var one = one
              one.phones += EnglishPhones.ending(behind: one.phones)
              return one
            }
          }
        }
        return try source.pronunciations(of: word, locale: pronouncer.locale)
      }
    }

    /// The pronunciations in the dictionaries, each a little less likely than the one before.
    private func known(_ word: String) -> [Pronunciation] {
      let phones = pronouncer.userPronunciations(of: word).map(\.phones) + dictionary(word)
      return phones.prefix(3).enumerated().map { rank, phones in
        Pronunciation(
          phones: phones, phoneSet: .arpabet, origin: .derived,
          confidence: rank == 0 ? 1 : 0.5 / Double(rank))
      }
    }
  }
}

import Foundation
import Testing

@testable import SpeechCore

/// Pronounces each letter as one phone.
private struct Speller: PronunciationSource {
  func pronunciations(of word: String, locale: Locale) -> [Pronunciation] {
    [Pronunciation("K AE T", phoneSet: .arpabet, origin: .spelling, confidence: 0.5)]
      + [Pronunciation("K AH T", phoneSet: .arpabet, origin: .spelling, confidence: 0.2)]
      + [Pronunciation("K EH T", phoneSet: .arpabet, origin: .spelling, confidence: 0.01)]
  }
}

@Suite struct WordPronouncerTests {
  private static let phones = Set(
    ("AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH "
      + "UW V W Y Z ZH")
      .split(separator: " ").map(String.init))

  private func explain(
    _ word: String, user: [String: [[String]]] = [:], phones: Set<String> = Self.phones,
    source: (any PronunciationSource)? = Speller(), locale: String = "en_US"
  ) throws -> WordExplanation {
    let pronouncer = WordPronouncer(
      locale: Locale(identifier: locale), phones: phones, user: user,
      source: source.map { AnyPronunciationSource($0) })
    return try pronouncer.explanation(of: word) { word in
      switch word {
      case "three": [["TH", "R", "IY"]]
      case "hub": [["HH", "AH", "B"]]
      case "fox": [["F", "AA", "K", "S"]]
      case "either": [["IY", "DH", "ER"], ["AY", "DH", "ER"]]
      default: []
      }
    }
  }

  @Test func `a known word is unchanged`() throws {
    let known = try explain("Either")
    #expect(known.pronunciations.map(\.text) == ["IY DH ER", "AY DH ER"])
    #expect(known.pronunciations.allSatisfy { $0.origin == .dictionary })
    #expect(known.advice.contains("words set Either PHONES"))
  }

  @Test func `the user's pronunciations take precedence`() throws {
    let set = try explain("either", user: ["either": [["IY"]]])
    #expect(set.pronunciations.map(\.text) == ["IY", "IY DH ER", "AY DH ER"])
    #expect(set.pronunciations[0].origin == .userDictionary)
    #expect(set.advice.contains("words remove either"))
    let part = try explain("gitHub", user: ["git": [["G", "IH", "T"]]])
    #expect(part.pronunciations.first?.text == "G IH T HH AH B")
    // A pronunciation in another model's phones does not apply to this one.
    #expect(try explain("either", user: ["either": [["i:"]]]).pronunciations.count == 2)
  }

  @Test(arguments: [
    ("3D", "TH R IY D IY", Pronunciation.Origin.derived), ("fox's", "F AA K S AH Z", .derived),
    ("eithers", "IY DH ER Z", .derived),
    ("USB", "Y UW EH S B IY", .derived),
    ("zot", "K AE T", .spelling), ("zothub", "K AE T", .spelling),
    ("zotHub", "K AE T HH AH B", .spelling),
  ])
  func `an unknown word is composed or spelled`(
    word: String, phones: String, origin: Pronunciation.Origin
  ) throws {
    let made = try explain(word)
    #expect(made.pronunciations.first?.text == phones)
    #expect(made.pronunciations.first?.origin == origin)
    #expect(made.pronunciations.count <= 3)
    #expect(made.pronunciations.map(\.confidence).reduce(0, +) <= 1.0001)
  }

  @Test func `unlikely pronunciations are reported and not recognised`() throws {
    let made = try explain("zot")
    #expect(made.pronunciations.map(\.text) == ["K AE T", "K AH T"])
    #expect(made.others.map(\.text) == ["K EH T"])
  }

  @Test func `nothing is derived without a source, nor in phones that the model lacks`() throws {
    #expect(try explain("zot", source: nil).pronunciations.isEmpty)
    #expect(try explain("zot", source: NoPronunciations()).pronunciations.isEmpty)
    #expect(try explain("zot", phones: ["K", "AH", "T"]).pronunciations.map(\.text) == ["K AH T"])
    #expect(try explain("zot", source: nil).advice.contains("words set zot PHONES"))
  }

  @Test func `other languages use the source alone`() throws {
    #expect(try explain("3D", locale: "de_DE").pronunciations.first?.text == "K AE T")
  }
}

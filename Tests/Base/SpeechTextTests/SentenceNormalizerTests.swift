import Foundation
import SpeechText
import TestSupport
import Testing

struct SentenceNormalizerTests {
  @Test(arguments: [
    ("Call Mr. O’Neill at 9:45!", "call mister o'neill at nine forty five"),
    (
      "It's 21°C — well, 3.5% more.",
      "it's twenty one degrees c well three point five percent more"
    ),
    (
      "The U.S.A. in 1984, the 90s, and 3D",
      "the u s a in nineteen eighty four the nineties and three d"
    ),
    ("<s> twenty-one (or so) </s>", "twenty one or so"),
    ("naïve café", "naive cafe"),
    ("I am at home.", "i am at home"), ("… !?", ""), ("", ""),
    ("$5 & 2nd", "five dollars and second"),
  ])
  func `English sentences become spoken words`(text: String, expected: String) {
    let words = SentenceNormalizer(locale: Locale(identifier: "en_GB")).words(of: text)
    #expect(words.joined(separator: " ") == expected)
  }

  @Test func `other languages keep their letters`() {
    let german = SentenceNormalizer(locale: Locale(identifier: "de_DE"))
    #expect(
      german.words(of: "Grüße, “Straße” — geht’s gut? E-Mail!")
        == ["grüße", "straße", "geht's", "gut", "e-mail"])
    #expect(
      SentenceNormalizer(locale: Locale(identifier: "ru")).words(of: "Привет,\u{A0}мир 5")
        == ["привет", "мир", "5"])
  }

  @Test func `any bytes give valid words`() {
    var random = SplitMix(seed: 5)
    let normalizers = ["en", "de"].map { SentenceNormalizer(locale: Locale(identifier: $0)) }
    for _ in 0..<Endurance.count(full: 2_000, short: 200) {
      let bytes = (0..<random.next(60)).map { _ in
        let byte = UInt8(truncatingIfNeeded: random.next())
        return random.next(3) == 0 ? byte : 32 + byte % 95
      }
      for normalizer in normalizers {
        let words = bytes.withUnsafeBufferPointer { normalizer.words(of: $0) }
        #expect(words.allSatisfy { DictionaryWord.isValid($0) }, "\(bytes)")
      }
    }
  }
}

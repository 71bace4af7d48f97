import SpeechText
import TestSupport
import Testing

@Suite struct EnglishReadingTests {
  @Test(arguments: [
    ("lights", ["lights"]), ("Lights", ["lights"]), ("o'clock", ["o'clock"]),
    ("USB", ["u s b", "usb"]), ("HTML", ["h t m l"]), ("NASA", ["nasa", "n a s a"]),
    ("3D", ["three d"]), ("v2", ["v two", "version two"]), ("MP3", ["m p three"]),
    ("B2B", ["b two b"]), ("Mr", ["mister"]), ("Mr.", ["mister"]), ("St", ["saint", "street"]),
    ("iPhone", ["i phone", "iphone"]), ("GitHub", ["git hub", "github"]),
    ("McDonald", ["mcdonald"]), ("XMLFile", ["x m l file", "xmlfile"]), ("PCs", ["p c's"]),
    ("wi-fi", ["wi fi", "wifi"]), ("José", ["jose"]), ("naïve", ["naive"]),
    ("Straße", ["strasse"]), ("AT&T", ["a t and t"]), ("U.S.A.", ["u s a"]),
    ("42", ["forty two"]), ("twenty-one", ["twenty one", "twentyone"]),
    (
      "1984",
      ["nineteen eighty four", "one thousand nine hundred eighty four", "one nine eight four"]
    ),
    ("2000", ["two thousand", "two zero zero zero"]),
    ("1905", ["nineteen oh five", "one thousand nine hundred five", "one nine zero five"]),
    ("150", ["one hundred fifty", "one fifty", "one five zero"]),
    ("007", ["oh oh seven", "zero zero seven"]), ("1st", ["first"]), ("22nd", ["twenty second"]),
    ("100th", ["one hundredth"]), ("3.5", ["three point five"]),
    ("1,000", ["one thousand", "one zero zero zero"]),
    ("$5", ["five dollars"]), ("50%", ["fifty percent"]), ("5km", ["five kilometers"]),
    ("90s", ["ninety's"]), ("Anna's", ["anna's"]), ("rock'n'roll", ["rock'n'roll"]),
  ])
  func `a word has the readings of a native speaker`(word: String, readings: [String]) {
    #expect(Array(EnglishReading.all(of: word).map(\.text).prefix(readings.count)) == readings)
  }

  @Test(arguments: ["", "…", "---", "日本", "'", "\u{0}", String(repeating: "a", count: 81)])
  func `a word without letters or digits has no reading`(word: String) {
    #expect(EnglishReading.all(of: word).isEmpty)
  }

  @Test func `numbers become words`() {
    #expect(EnglishNumber.cardinal(0) == ["zero"])
    #expect(EnglishNumber.cardinal(1_000_001) == ["one", "million", "one"])
    #expect(
      EnglishNumber.cardinal(999_999).joined(separator: " ")
        == "nine hundred ninety nine thousand nine hundred ninety nine")
    #expect(EnglishNumber.ordinal(12) == ["twelfth"])
    #expect(EnglishNumber.ordinal(30) == ["thirtieth"])
    #expect(EnglishNumber.pairs(2000) == nil)
    #expect(EnglishNumber.pairs(2007) == nil)
    #expect(EnglishNumber.pairs(2026) == ["twenty", "twenty", "six"])
    #expect(EnglishNumber.readings(of: String(repeating: "9", count: 40)).count == 2)
  }

  @Test func `readings are limited in number and length`() {
    var random = PronunciationFuzz(seed: 7)
    for _ in 0..<Endurance.count(full: 2_000, short: 200) {
      let word = random.word()
      let readings = EnglishReading.all(of: word)
      #expect(readings.count <= 4)
      #expect(Set(readings).count == readings.count, "\(word)")
      for reading in readings { #expect((1...24).contains(reading.parts.count), "\(word)") }
    }
  }
}

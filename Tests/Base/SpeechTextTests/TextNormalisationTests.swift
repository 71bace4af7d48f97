import SpeechText
import Testing

struct TextNormalisationTests {
  @Test(arguments: [
    ("It's 21 °C — well, O.K.!", "it is twenty one c well okay"),
    ("Don't you can't, won't; they'll", "do not you can not will not they will"),
    ("The 3rd of May, 1,250 people", "the third of may one thousand two hundred fifty people"),
    ("Uh, twenty-one um café", "twenty one cafe"), ("3.14", "three point one four"),
    ("Anna's dog", "anna's dog"), ("’tis “so”", "tis so"), ("", ""), ("— …", ""),
  ])
  func `texts that sound the same have the same words`(text: String, words: String) {
    #expect(TextNormalisation.spoken.words(of: text).joined(separator: " ") == words)
  }

  @Test func `only the chosen differences are removed`() {
    #expect(TextNormalisation.none.words(of: " Turn  On, 2 ") == ["Turn", "On,", "2"])
    #expect(TextNormalisation.caseInsensitive.words(of: "Turn On, 2") == ["turn", "on,", "2"])
  }
}

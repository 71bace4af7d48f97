import SpeechText
import Testing

struct LanguageDetectorTests {
  private let detector = LanguageDetector()

  /// Pairs whose sentences are often the same.
  private static let related = ["id": "ms", "ms": "id", "nb": "da", "da": "nb"]

  @Test func `short sentences are recognised in more than fifty languages`() {
    var (right, unclear, count) = (0, 0, 0)
    for (language, sentences) in LanguageSentences.all {
      let found = sentences.map(detector.language(of:))
      let own = found.filter { $0 == language }.count
      let likely = found.filter { $0 == language || $0 == Self.related[language] }.count
      #expect(likely * 5 >= sentences.count * 3, "\(language): \(found)")
      right += own
      unclear += found.filter { $0 == nil }.count
      count += sentences.count
    }
    #expect(LanguageSentences.all.count > 50)
    #expect(Double(right) / Double(count) > 0.9)
    // A wrong voice is worse than the default one.
    #expect(Double(count - right - unclear) / Double(count) < 0.04)
  }

  @Test(arguments: [
    ("Good morning.", "en"), ("Guten Morgen.", "de"), ("Bonjour à tous.", "fr"),
    ("¿Qué hora es?", "es"), ("Dober dan", "sl"), ("こんにちは世界", "ja"), ("你好", "zh"),
    ("Добрый день, как дела?", "ru"), ("Γεια", "el"), ("สวัสดี", "th"),
    ("It costs 5 € at “Müller”.", "en"), ("L’heure qu’il est", "fr"),
  ])
  func `a few words are enough`(_ text: String, _ language: String) {
    #expect(detector.language(of: text) == language)
  }

  @Test(arguments: [
    "", " \n", "1234", "…", "OK", "Taxi", "Peter Müller", "ChatGPT", "lol xkcd qwrtz", "No", "ᏣᎳᎩ",
    "🙂", "'", "’’ ’",
  ])
  func `names, numbers and shared words are not clear`(_ text: String) {
    #expect(detector.language(of: text) == nil)
  }

  @Test func `the main language of a long and mixed text counts`() {
    let german = String(repeating: "Das ist ein langer Text über das Wetter. ", count: 1_000)
    #expect(detector.language(of: german) == "de")
    #expect(detector.language(of: "The word Straße means street in German.") == "en")
    #expect(detector.language(of: "He said “Москва” and left the house.") == "en")
  }

  @Test func `every language of the table is known by a tag`() {
    #expect(detector.languages.count > 80)
    #expect(detector.languages.allSatisfy { (2...3).contains($0.count) })
    #expect(detector.languages.isSuperset(of: LanguageSentences.all.map(\.language)))
  }
}

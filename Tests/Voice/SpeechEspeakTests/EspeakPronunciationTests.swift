#if Espeak
import Foundation
import SpeechCore
import SpeechTesting
import Testing
import TestSupport

@testable import SpeechEspeak

@Suite struct EspeakPronunciationTests {
  private let english = Locale(identifier: "en_US")

  /// The first words of the random sample that the table was not learned from.
  private static let unseen = """
    inclusions IH N K L UW ZH AH N Z|flocking F L AA K IH NG|gavras G AE V R AH S
    accomplice AH K AA M P L AH S|decontrolled D IY K AH N T R OW L D|sequined S IY K W AH N D
    claddagh K L AE D AH|pawelsky P AA V EH L S K IY|rivett R IH V IH T|broady B R AO D IY
    analysts AE N AH L IH S T S|defabio D IH F AA B IY OW|loudon L AW D AH N|lobdell L AA B D AH L
    yakov Y AA K AO V|false F AO L S|doornbos D AO R N B OW Z
    thirtysomething TH ER T IY S AH M TH IH NG|sholly SH AA L IY|valet V AE L EY
    bilski B IH L S K IY|fifteen F IH F T IY N|damiano D AA M IY AA N OW|subways S AH B W EY Z
    overrates OW V ER R EY T S|concretely K AA N K R IY T L IY|clerical K L EH R AH K AH L
    jacobson JH EY K AH B S AH N|valek V AA L EH K|windward W IH N D W ER D|elchibey EH L CH AH B EY
    mayernik M EY ER N IH K|decter D EH K T ER|milby M IH L B IY|oversees OW V ER S IY Z
    aldenville AA L D AH N V IH L|makuch M AE K AH K|waterman W AO T ER M AH N|partly P AA R T L IY
    vantage V AE N T IH JH|chimerine CH IH M ER IY N|landlocked L AE N D L AA K T|sliwa S L AY V AH
    pik P IH K|violet V AY AH L IH T|shrimper SH R IH M P ER|congested K AH N JH EH S T IH D
    hendrie HH EH N D ER IY|littering L IH T ER IH NG|badness B AE D N AH S|estel EH S T AH L
    replacement R IH P L EY S M AH N T|pixel P IH K S AH L|shellacking SH EH L AE K IH NG
    dormitories D AO R M AH T AO R IY Z|fireball F AY ER B AO L|sassoon S AH S UW N|sheri SH EH R IY
    fluidity F L UW IH D AH T IY|huntzinger HH AH N T Z IH NG ER|navajos N AA V AH HH OW Z
    degrees D IH G R IY Z|libby L IH B IY|centauri S EH N T AA R IY|gloss G L AO S
    telfair T EH L F EH R|maisel M AY S AH L|bogan B OW G AH N|chonko CH AA NG K OW|kwok K W AA K
    licentious L AY S EH N CH AH S|johnsey JH AA N Z IY|outguns AW T G AH N Z|kenny K EH N IY
    robotics R OW B AA T IH K S|goldfields G OW L D F IY L D Z|southland S AW TH L AE N D
    breakouts B R EY K AW T S|chemists K EH M IH S T S|rudy R UW D IY|linters L IH N T ER Z
    wieland W IY L AH N D|normal N AO R M AH L|bondurant B OW N D UH R AH N T|royster R OY S T ER
    lummus L AH M AH S|blackboard B L AE K B AO R D|kittel K IH T AH L
    """

  @Test func `unknown words come close to the dictionary`() throws {
    var (errors, phones, best, plainErrors) = (0, 0, 0, 0)
    let entries = Self.unseen.split { $0 == "|" || $0 == "\n" }
    for entry in entries {
      let fields = entry.split(separator: " ").map(String.init)
      let reference = Array(fields.dropFirst())
      let made = try EspeakPronunciations().pronunciations(of: fields[0], locale: english)
        .map(\.phones)
      errors += Alignment.distance(made.first ?? [], reference)
      best += made.prefix(3).map { Alignment.distance($0, reference) }.min() ?? reference.count
      plainErrors += Alignment.distance(
        try EspeakPronunciations().plainPhones(of: fields[0]), reference)
      phones += reference.count
    }
    let rate = Double(errors) / Double(phones)
    #expect(rate < 0.09, "\(rate)")
    #expect(Double(best) / Double(phones) < 0.05, "\(Double(best) / Double(phones))")
    #expect(errors < plainErrors, "\(errors) of \(plainErrors)")
  }

  @Test(arguments: [
    ("hello", "HH AH L OW"), ("kitten", "K IH T AH N"), ("little", "L IH T AH L"),
    ("water", "W AO T ER"), ("bird", "B ER D"), ("fire", "F AY R"), ("here", "HH IH R"),
    ("measure", "M EH ZH ER"), ("thing", "TH IH NG"), ("judge", "JH AH JH"),
  ])
  func `syllables without vowels, flaps and vowels with their r become phones`(
    word: String, phones: String
  ) throws {
    let made = try EspeakPronunciations().pronunciations(of: word, locale: english)
    #expect(made.first?.text == phones)
    #expect(made.allSatisfy { $0.phoneSet == .arpabet && $0.origin == .spelling })
  }

  @Test
  func `ambiguous words have several pronunciations, the most probable first, up to the limit`()
    throws
  {
    let made = try EspeakPronunciations(limit: 4).pronunciations(of: "adelizzi", locale: english)
    #expect((2...4).contains(made.count))
    #expect(Set(made.map(\.phones)).count == made.count)
    for (one, next) in zip(made, made.dropFirst()) { #expect(one.confidence >= next.confidence) }
  }

  @Test func `other languages, and words without letters, have no pronunciations`() throws {
    let source = EspeakPronunciations()
    #expect(try source.pronunciations(of: "hallo", locale: Locale(identifier: "de_DE")).isEmpty)
    for word in ["", "42", "…", "日本", "'", "[[]]"] {
      #expect(try source.pronunciations(of: word, locale: english).isEmpty, "\(word)")
    }
    // Nothing but letters reaches the library.
    #expect(EspeakPronunciations.spelling("[[hə'l]]<s>’x") == "h'ls'x")
    #expect(EspeakPronunciations.spelling("José’s") == "jose's")
  }

  @Test func `earlier speech changes nothing`() async throws {
    let source = EspeakPronunciations()
    let words = ["kubernetes", "a", "siobhan", "read"]
    let before = try words.map { try source.pronunciations(of: $0, locale: english) }
    for text in [
      "<speak><say-as interpret-as=\"characters\">abc</say-as> &lt; <prosody rate=\"50%\">x",
      "<speak><voice xml:lang=\"de\">Guten Tag</voice></speak>",
    ] {
      _ = try? await speak(text, voice: "de", ssml: true)
      #expect(try words.map { try source.pronunciations(of: $0, locale: english) } == before)
    }
  }

  @Test func `concurrent requests are answered during speech`() async throws {
    let expected = try EspeakPronunciations().pronunciations(of: "wieland", locale: english)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let made = try EspeakPronunciations().pronunciations(
              of: "wieland", locale: Locale(identifier: "en_US"))
            #expect(made == expected)
          }
        }
        group.addTask { _ = try await speak("All this is being said meanwhile.") }
      }
      try await group.waitForAll()
    }
  }

  @Test func `any word is safe`() throws {
    var random = SplitMix(seed: 5)
    let count = Endurance.count(full: 2_000, short: 200)
    let letters = Array("abcdefghijklmnopqrstuvwxyz''aeiouéßñ’ -日\u{301}[<")
    for _ in 0..<count {
      let word = String((0..<random.next(80)).map { _ in letters[random.next(letters.count)] })
      let made = try EspeakPronunciations().pronunciations(of: word, locale: english)
      #expect(made.count <= 5)
    }
  }
}
#endif

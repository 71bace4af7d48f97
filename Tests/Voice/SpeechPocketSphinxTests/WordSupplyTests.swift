import Foundation
import SpeechAudio
import SpeechCore
import SpeechLanguageModels
import TestSupport
import Testing

@testable import SpeechPocketSphinx

/// A source of a few words.
private struct FewWords: PronunciationSource {
  static let words = [
    "frontcenter": "F R AH N T S EH N T ER", "rearleft": "R IH R L EH F T", "blorp": "B L AO R P",
    "quuxly": "K W AH K S L IY", "zenter": "S EH N T ER",
  ]

  func pronunciations(of word: String, locale: Locale) -> [Pronunciation] {
    Self.words[word].map { [Pronunciation($0, phoneSet: .arpabet, origin: .spelling)] } ?? []
  }
}

private struct BrokenSource: PronunciationSource {
  func pronunciations(of word: String, locale: Locale) throws -> [Pronunciation] {
    throw CocoaError(.fileNoSuchFile)
  }
}

@Suite @DecodingQueue struct WordSupplyTests {
  private func configuration(
    _ search: PocketSphinxSearch, source: (any PronunciationSource)? = FewWords(),
    user: UserDictionary? = nil
  ) -> PocketSphinxConfiguration {
    PocketSphinxConfiguration(
      search: search, preset: .fast, modelFolder: PocketSphinxModelPlaces.distribution,
      pronunciationSource: source.map { AnyPronunciationSource($0) }, userDictionary: user)
  }

  private func decoder(
    _ search: PocketSphinxSearch, source: (any PronunciationSource)? = FewWords(),
    user: UserDictionary? = nil
  ) throws -> PocketSphinxDecoder {
    try PocketSphinxDecoder(
      configuration: configuration(search, source: source, user: user),
      locale: Locale(identifier: "en_US"))
  }

  private func grammar(_ words: String) -> PocketSphinxSearch {
    .grammar("#JSGF V1.0; grammar g; public <a> = \(words);")
  }

  private func userFile(_ text: String) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).dict")
    try Data(text.utf8).write(to: url)
    return url
  }

  private func hear(_ name: String, with decoder: PocketSphinxDecoder) throws -> String? {
    try decoder.decode(try Recordings.alsa(name))?.text
  }

  @Test func `a grammar's words that the dictionary lacks come from the source`() throws {
    let decoder = try decoder(grammar("FrontCenter | rearleft"))
    #expect(
      try decoder.explain("FrontCenter").pronunciations.first?.text == "F R AH N T S EH N T ER")
    guard Recordings.hasAlsa else { return }
    // In the spelling of the grammar.
    #expect(try hear("Front_Center", with: decoder) == "FrontCenter")
    #expect(try hear("Rear_Left", with: decoder) == "rearleft")
  }

  @Test func `a word without a pronunciation is an error with its position`() throws {
    let text = "#JSGF V1.0;\ngrammar g;\npublic <a> = hello xyzzy | blorp;"
    for source in [FewWords(), NoPronunciations()] as [any PronunciationSource] {
      let reason = refusal { _ = try decoder(.grammar(text), source: source) }
      #expect(reason?.contains("line 3, column 20") == true)
      #expect(reason?.contains("“xyzzy”") == true)
      #expect(reason?.contains("“blorp”") == (source is NoPronunciations))
    }
    #expect(refusal { _ = try decoder(.grammar(text), source: nil) }?.contains("“blorp”") == true)
  }

  @Test func `a failing source is reported, and is not used for known words`() throws {
    let reason = refusal { _ = try decoder(grammar("hello blorp"), source: BrokenSource()) }
    #expect(reason?.contains("“blorp”") == true)
    #expect(refusal { _ = try decoder(grammar("hello"), source: BrokenSource()) } == nil)
  }

  @Test func `numbers and letters are composed of known words`() throws {
    let decoder = try decoder(grammar("open 3D | open v2 | channel 42 | USB-C"))
    #expect(try decoder.explain("3D").pronunciations.map(\.text) == ["TH R IY D IY"])
    #expect(try decoder.explain("42").pronunciations[0].reading == "forty two")
  }

  @Test func `accents and other letters are recognised and kept in the text`() throws {
    let decoder = try decoder(grammar("José | naïve | front center"))
    #expect(try decoder.explain("José").pronunciations.first?.reading == "jose")
    guard Recordings.hasAlsa else { return }
    #expect(try hear("Front_Center", with: decoder) == "front center")
  }

  @Test func `the words of key phrases get pronunciations as well`() throws {
    let decoder = try decoder(.keyPhrases(["rear zenter", "hey blorp"]))
    #expect(try decoder.explain("blorp").pronunciations.map(\.text) == ["B L AO R P"])
    let reason = refusal { _ = try self.decoder(.keyPhrases(["hey xyzzy"])) }
    #expect(reason?.contains("“xyzzy”") == true)
    guard Recordings.hasAlsa else { return }
    #expect(try hear("Rear_Center", with: decoder) == "rear zenter")
  }

  @Test func `words of a language model that the dictionary lacks can be dictated`() throws {
    let model = """
      \\data\\
      ngram 1=5

      \\1-grams:
      -99 <s>
      -1.0 </s>
      -1.0 frontcenter
      -1.0 rearleft
      -1.0 hello

      \\end\\

      """
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).lm")
    try Data(model.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(
      LanguageModelFile.words(of: url) == ["<s>", "</s>", "frontcenter", "rearleft", "hello"])
    var configuration = configuration(.dictation)
    configuration.languageModel = url
    let decoder = try PocketSphinxDecoder(
      configuration: configuration, locale: Locale(identifier: "en_US"))
    #expect(try decoder.explain("rearleft").pronunciations.map(\.origin) == [.spelling])
    guard Recordings.hasAlsa else { return }
    #expect(try hear("Rear_Left", with: decoder) == "rearleft")
  }

  @Test func `the words of the general language model are read`() throws {
    let words = try #require(
      LanguageModelFile.words(of: ModelFixture.original.appending(path: "en-us.lm.bin")))
    #expect(words.count > 10_000)
    #expect(words.isSuperset(of: ["<s>", "</s>", "hello", "zurich"]))
  }

  // MARK: - While it runs

  @Test func `a pronunciation is added to a running grammar`() throws {
    let decoder = try decoder(grammar("hello | goodbye"))
    let explanation = try decoder.add(
      "hello", pronunciations: [["R", "IH", "R", "L", "EH", "F", "T"]])
    #expect(explanation.pronunciations.map(\.text).contains("R IH R L EH F T"))
    guard Recordings.hasAlsa else { return }
    #expect(try hear("Rear_Left", with: decoder) == "hello")
  }

  @Test func `a word is added to running dictation and recognised`() throws {
    let decoder = try decoder(.dictation)
    try decoder.add("frontcenter")
    guard Recordings.hasAlsa else { return }
    #expect(try hear("Front_Center", with: decoder)?.isEmpty == false)
    #expect(try hear("Rear_Center", with: decoder)?.contains("center") == true)
  }

  @Test func `a word added during an utterance is used from the next one on`() throws {
    let decoder = try decoder(grammar("hello | goodbye"))
    try decoder.startUtterance()
    _ = try decoder.process(Recordings.noise(16_000))
    try decoder.add("goodbye", pronunciations: [["R", "IH", "R", "L", "EH", "F", "T"]])
    #expect(try decoder.explain("goodbye").pronunciations.count == 2)
    _ = try decoder.process(Recordings.noise(16_000))
    _ = try decoder.finishUtterance()
    guard Recordings.hasAlsa else { return }
    #expect(try hear("Rear_Left", with: decoder) == "goodbye")
    #expect(try decoder.explain("goodbye").pronunciations.count == 2)
  }

  @Test func `a word that cannot be added throws and changes nothing`() throws {
    let decoder = try decoder(grammar("hello | goodbye"))
    for (word, phones) in [
      ("", [["AH"]]), ("a b", [["AH"]]), ("<s>", [["AH"]]), ("x(2)", [["AH"]]), ("zot", [[]]),
      ("zot", [["QQ"]]), ("zot", [["SIL"]]), ("xyzzy", []),
    ] as [(String, [[String]])] {
      let reason = refusal { try decoder.add(word, pronunciations: phones) }
      #expect(reason?.isEmpty == false, "\(word)")
    }
    #expect(try decoder.explain("zot").pronunciations.isEmpty)
  }

  @Test func `a session adds words to the decoder it owns`() async throws {
    let session = RecognitionSession<PocketSphinxDecoder>(
      configuration: configuration(grammar("hello | goodbye")),
      locale: Locale(identifier: "en_US"))
    #expect(try await session.add("blorp").pronunciations.map(\.text) == ["B L AO R P"])
    #expect(try await session.explain("blorp").pronunciations.map(\.origin) == [.spelling])
  }

  // MARK: - The user's dictionary

  @Test func `the user's pronunciations of known and unknown words are recognised`() throws {
    let file = try userFile("hello F R AH N T S EH N T ER\nzot R IH R L EH F T\nzot(2) i: x\n")
    defer { try? FileManager.default.removeItem(at: file) }
    let decoder = try decoder(grammar("hello | zot"), source: nil, user: .file(file))
    #expect(try decoder.explain("zot").pronunciations.map(\.origin) == [.userDictionary])
    guard Recordings.hasAlsa else { return }
    #expect(try hear("Front_Center", with: decoder) == "hello")
    #expect(try hear("Rear_Left", with: decoder) == "zot")
  }

  @Test func `a broken dictionary of the user is named with its line`() throws {
    let file = try userFile("hello HH\nzot\n")
    defer { try? FileManager.default.removeItem(at: file) }
    let reason = refusal { _ = try decoder(grammar("hello"), user: .file(file)) }
    #expect(reason?.contains(file.path) == true)
    #expect(reason?.contains("line 2") == true)
  }

  @Test func `words are explained the same with and without a decoder`() throws {
    let file = try userFile("zot R IH R\n")
    defer { try? FileManager.default.removeItem(at: file) }
    let configuration = configuration(grammar("hello"), user: .file(file))
    let words = try PocketSphinxWords(
      configuration: configuration, locale: Locale(identifier: "en_US"))
    let decoder = try decoder(grammar("hello"), user: .file(file))
    for word in ["hello", "Hello", "zot", "3D", "blorp", "xyzzy", "zots", "'bout", "a", "read"] {
      #expect(try words.explain(word) == decoder.explain(word), "\(word)")
    }
    #expect(words.phones.count == 39)
    #expect(refusal { _ = try words.explain("two words") }?.isEmpty == false)
  }

  @Test func `a word is looked up anywhere in the file`() throws {
    let url = try userFile("first F\nsecond\tS\nsecond(2) Z\nsec K\nlast L")
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try DictionaryFile(url)
    #expect(file.pronunciations(of: "first") == [["F"]])
    #expect(file.pronunciations(of: "second") == [["S"], ["Z"]])
    #expect(file.pronunciations(of: "sec") == [["K"]])
    #expect(file.pronunciations(of: "last") == [["L"]])
    #expect(file.pronunciations(of: "ast").isEmpty)
    #expect(file.pronunciations(of: "second(2)").isEmpty)
  }
}

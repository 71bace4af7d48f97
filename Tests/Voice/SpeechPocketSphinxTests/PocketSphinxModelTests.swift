import Foundation
import SpeechCore
import TestSupport
import Testing

@testable import SpeechPocketSphinx

@Suite @DecodingQueue struct PocketSphinxModelTests {
  private let distribution = [PocketSphinxModelPlaces.distribution]

  private func load(_ fixture: borrowing ModelFixture, _ search: PocketSphinxSearch) throws {
    let configuration = PocketSphinxConfiguration(search: search, modelFolder: fixture.folder)
    _ = try PocketSphinxDecoder(
      configuration: configuration, locale: Locale(identifier: "en_US"))
  }

  private static let grammar = PocketSphinxSearch.grammar(
    "#JSGF V1.0; grammar g; public <a> = hello | goodbye;")

  // MARK: - Looking for it

  @Test(arguments: ["en_US", "en-GB", "en", "en_US.UTF-8", "en_US_POSIX", "EN_us"])
  func `the American model is used for every kind of English`(identifier: String) throws {
    let model = try PocketSphinxModel.find(for: Locale(identifier: identifier), in: distribution)
    #expect(model.folder.path == "/usr/share/pocketsphinx/model/en-us")
    #expect(model.acousticModel.path == "/usr/share/pocketsphinx/model/en-us/en-us")
    #expect(model.dictionary.lastPathComponent == "cmudict-en-us.dict")
    #expect(model.languageModel?.lastPathComponent == "en-us.lm.bin")
  }

  @Test func `the error of an unknown language names the searched places`() {
    let reason = refusal {
      _ = try PocketSphinxModel.find(for: Locale(identifier: "xy_ZZ"), in: distribution)
    }
    #expect(reason?.contains("xy_ZZ") == true)
    #expect(reason?.contains("xy-zz") == true)
    #expect(reason?.contains("/usr/share/pocketsphinx/model") == true)
  }

  @Test func `English that is not installed names its package`() {
    let reason = refusal {
      _ = try PocketSphinxModel.find(
        for: Locale(identifier: "en_US"), in: [URL(fileURLWithPath: "/nonexistent")])
    }
    #expect(reason?.contains("pocketsphinx-en-us") == true)
  }

  @Test func `places are searched in order, the distribution's last`() {
    let places = PocketSphinxModelPlaces(
      environment: ["SPEECHKIT_MODELS": "/first:second"],
      workingDirectory: URL(fileURLWithPath: "/home/app"),
      program: URL(fileURLWithPath: "/opt/app/.build/x86/debug/tool"))
    #expect(
      places.folders.map(\.path) == [
        "/first", "/home/app/second", "/home/app/models", "/opt/app/.build/x86/debug/models",
        "/opt/app/.build/x86/models", "/opt/app/.build/models", "/opt/app/models",
        "/usr/share/pocketsphinx/model",
      ])
  }

  @Test func `a named folder is used as a model or as a place of models`() throws {
    let fixture = try ModelFixture()
    let english = Locale(identifier: "en_GB")
    let model = try PocketSphinxModel.find(for: english, in: fixture.folder)
    #expect(model.folder.path == fixture.folder.path)
    let place = try PocketSphinxModel.find(
      for: english, in: fixture.folder.deletingLastPathComponent())
    #expect(place.folder.path == fixture.folder.path)
    let french = try PocketSphinxModel.find(for: Locale(identifier: "fr"), in: fixture.folder)
    #expect(french.folder.path == fixture.folder.path)
  }

  // MARK: - Looking through it

  @Test func `the model of the distribution is valid`() throws {
    let definition = try AcousticModelCheck.definition(
      of: ModelFixture.original.appendingPathComponent("en-us"))
    #expect(definition.phones.count == 42)
    #expect(definition.spokenPhones.count == 39)
    #expect(definition.senones == 5126)
  }

  @Test(arguments: [
    "mdef", "feat.params", "means", "variances", "transition_matrices", "sendump", "noisedict",
    "cmudict-en-us.dict", "en-us.lm.bin",
  ])
  func `a model without one of its files is refused`(name: String) throws {
    let fixture = try ModelFixture()
    try fixture.remove(name)
    let reason = refusal { try load(fixture, .dictation) }
    #expect(reason?.isEmpty == false)
  }

  @Test(arguments: [
    "mdef", "feat.params", "means", "variances", "transition_matrices", "sendump", "noisedict",
    "cmudict-en-us.dict", "en-us.lm.bin",
  ])
  func `a file of garbage is refused`(name: String) throws {
    let fixture = try ModelFixture()
    var generator = SystemRandomNumberGenerator()
    let garbage = Data((0..<50_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    try fixture.replace(name, by: garbage)
    #expect(refusal { try load(fixture, .dictation) }?.isEmpty == false)
    try fixture.replace(name, by: "This is a text about something else.\n")
    #expect(refusal { try load(fixture, .dictation) }?.isEmpty == false)
    try fixture.replace(name, by: Data())
    #expect(refusal { try load(fixture, .dictation) }?.isEmpty == false)
  }

  @Test(arguments: [
    "mdef", "feat.params", "means", "variances", "transition_matrices", "sendump",
  ])
  func `an acoustic file that was cut off anywhere is refused`(name: String) throws {
    let fixture = try ModelFixture()
    let whole = try fixture.original(name)
    for share in [0.01, 0.3, 0.5, 0.9, 0.999] {
      let length = Int(Double(whole.count) * share)
      try fixture.replace(name, by: whole.prefix(length))
      #expect(refusal { try load(fixture, Self.grammar) } != nil, "\(name) of \(length) bytes")
    }
    try fixture.replace(name, by: whole.dropLast())
    #expect(refusal { try load(fixture, Self.grammar) } != nil)
    try fixture.replace(name, by: whole + Data([0, 0, 0, 0]))
    #expect(name == "feat.params" || refusal { try load(fixture, Self.grammar) } != nil)
  }

  @Test func `a language model that was cut off is refused`() throws {
    let fixture = try ModelFixture()
    let whole = try fixture.original("en-us.lm.bin")
    for length in [10, 30, 1_000_000, whole.count * 9 / 10, whole.count - 1] {
      try fixture.replace("en-us.lm.bin", by: whole.prefix(length))
      #expect(refusal { try load(fixture, .dictation) } != nil, "\(length) bytes")
    }
  }

  @Test(arguments: ["means", "variances", "transition_matrices"])
  func `a single bit that flipped is found by the checksum`(name: String) throws {
    let fixture = try ModelFixture()
    let whole = try fixture.original(name)
    for _ in 0..<5 {
      var flipped = whole
      let place = Int.random(in: 48..<whole.count)
      flipped[place] ^= 1 << UInt8.random(in: 0..<8)
      try fixture.replace(name, by: flipped)
      #expect(refusal { try load(fixture, Self.grammar) } != nil, "byte \(place)")
    }
  }

  @Test func `a model definition whose numbers point nowhere is refused`() throws {
    let fixture = try ModelFixture()
    let whole = try fixture.original("mdef")
    // The sizes begin after 12 + 1052 bytes; then phones, tree, phones' states.
    for place in [1064, 1068, 1072, 1080, 1084, 1088, 1100, 1300, 1_138_000, 2_790_000] {
      var changed = whole
      changed.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0x7F])
      try fixture.replace("mdef", by: changed)
      #expect(refusal { try load(fixture, Self.grammar) } != nil, "byte \(place)")
    }
  }

  @Test(arguments: [
    "-feat 1s_c_d_dd\n-lowerf 130\n", "-feat nonsense\n-lowerf 130\n-upperf 6800\n",
    "-feat 1s_c_d_dd\n-lowerf 130\n-upperf 6800\n",
    "-feat 1s_c_d_dd\n-lowerf x\n-upperf 6800\n-svspec 0-12/13-25/26-38\n",
    "-feat 1s_c_d_dd\n-lowerf 130\n-upperf 6800\n-svspec 0-12/13-25/26-99\n",
    "-feat 1s_c_d_dd\n-lowerf 130\n-upperf 6800\n-svspec 0-12/13-25/26-38\n-logfn /tmp/x\n",
    "-feat 1s_c_d_dd\n-lowerf 130\n-upperf 6800\n-svspec 0-12/13-25/26-38\n-samprate 8000\n",
  ])
  func `parameters that contradict the model are refused`(text: String) throws {
    let fixture = try ModelFixture()
    try fixture.replace("feat.params", by: text)
    #expect(refusal { try load(fixture, Self.grammar) } != nil)
  }

  @Test func `an empty dictionary is an error, and so is one of another language`() throws {
    let fixture = try ModelFixture()
    for text in ["", "\n\n", "hello\n", "bonjour b on Z u r\n", "hello HH AH L OW\n\0"] {
      try fixture.replace("cmudict-en-us.dict", by: text)
      let reason = refusal { try load(fixture, Self.grammar) }
      #expect(reason?.contains("cmudict-en-us.dict") == true, "\(text)")
    }
  }

  @Test func `a dictionary of the user's own suffices`() throws {
    let fixture = try ModelFixture()
    try fixture.replace("cmudict-en-us.dict", by: "hello HH AH L OW\ngoodbye G UH D B AY\n")
    #expect(refusal { try load(fixture, Self.grammar) } == nil)
  }
}

/// The grammars that come with the project.
@Suite @DecodingQueue struct ShippedGrammarTests {
  @Test func `the demo's grammar is valid and all its words are known`() throws {
    let models = ProjectFolder.root.appending(path: "models")
    let configuration = PocketSphinxConfiguration(
      search: .grammarFile(models.appendingPathComponent("demo.gram")),
      modelFolder: PocketSphinxModelPlaces.distribution)
    let decoder = try PocketSphinxDecoder(
      configuration: configuration, locale: Locale(identifier: "en_US"))
    #expect(decoder.format == .recognition)
  }
}

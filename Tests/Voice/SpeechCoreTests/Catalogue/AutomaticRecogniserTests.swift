import Foundation
import SpeechCore
import Testing

/// A recogniser that was not named is the best one for what is wanted.
struct AutomaticRecogniserTests {
  private static let english = Locale(identifier: "en-US")
  private static let german = Locale(identifier: "de-DE")

  /// A recogniser of that language alone.
  private static func entry(
    _ name: String, errors: Double?, isLocal: Bool = true,
    features: Set<RecogniserEntry.Feature> = [], speaks language: String = "en"
  ) -> RecogniserEntry {
    RecogniserEntry(
      name, of: ReadingDecoder.self, displayName: name, isLocal: isLocal, features: features,
      dictationErrors: errors, remedy: "",
      access: { _, locale in
        guard locale.language.languageCode?.identifier == language else {
          throw SpeechRecognitionError.notAvailable
        }
      }
    ) { _ in ReadingDecoder.Configuration() }
  }

  private let catalog = SpeechCatalog(
    voices: [],
    recognisers: [
      entry("commands", errors: 0.4, features: [.grammar, .languageModel]),
      entry("german", errors: 0.01, speaks: "de"), entry("small", errors: 0.2),
      entry("large", errors: 0.1, features: [.grammar]),
      entry("german commands", errors: 0.5, features: [.grammar], speaks: "de"),
      entry("unranked", errors: nil),
      entry("cloud", errors: 0.02, isLocal: false),
    ])

  @Test func `free speech goes to the fewest errors among what is ready`() async {
    #expect(await catalog.automaticRecogniser(locale: Self.english).entry == "large")
    #expect(await catalog.automaticRecogniser(locale: Self.german).entry == "german")
    let french = await catalog.automaticRecogniser(locale: Locale(identifier: "fr-FR"))
    #expect(french.entry == "commands", "nothing is ready, so the first one reports it")
  }

  @Test func `what only one recogniser can do goes to that`() async {
    let model = RecogniserSettings(languageModel: URL(filePath: "/models/own"))
    for settings in [RecogniserSettings(search: .grammar("#JSGF V1.0;")), model] {
      let name = await catalog.automaticRecogniser(for: settings, locale: Self.english)
      #expect(name.entry == "commands")
    }
  }

  @Test func `a grammar goes to the first that is ready`() async {
    let settings = RecogniserSettings(search: .grammar("#JSGF V1.0;"))
    let english = await catalog.automaticRecogniser(for: settings, locale: Self.english)
    #expect(english.entry == "commands")
    let german = await catalog.automaticRecogniser(for: settings, locale: Self.german)
    #expect(german.entry == "german commands")
  }
}

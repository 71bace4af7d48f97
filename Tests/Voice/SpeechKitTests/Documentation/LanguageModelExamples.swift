import SpeechKit

// What the article about language models shows. The tests of `speechkit model` do the same with files.

@MainActor
func makingAndUsingALanguageModel() throws -> PocketSphinxRecognitionProvider {
  var plan = LanguageModelPlan(
    configuration: PocketSphinxConfiguration().withStandardPronunciations,
    locale: Locale(identifier: "en_US"))
  plan.sentenceFiles = [URL(filePath: "sentences.txt")]
  let made = try plan.build(in: URL(filePath: "home"))
  print(made.derived, made.unpronounceable)

  plan.sentenceFiles = []
  plan.terms = ["Kubernetes", "Home Assistant", "Siobhan"]
  _ = try plan.build(in: URL(filePath: "names"))

  var configuration = PocketSphinxConfiguration()
  configuration.use(try LanguageModelFolder(URL(filePath: "home")))
  let provider = PocketSphinxRecognitionProvider(configuration: configuration)
  return provider
}

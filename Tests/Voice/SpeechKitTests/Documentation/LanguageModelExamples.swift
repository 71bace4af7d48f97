import SpeechKit
import SpeechLanguageModels

// The code in the article about language models. The tests of `speechkit model` run the same calls.

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

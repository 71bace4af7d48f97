import SpeechKit

// What the article about words that the dictionary lacks shows.

@MainActor
func listeningForAnyWord() async throws {
  let calls = "#JSGF V1.0; grammar calls; public <call> = call (Siobhan | Kubernetes | R2D2);"
  let provider = PocketSphinxRecognitionProvider(
    configuration: PocketSphinxConfiguration(search: .grammar(calls)))

  try await provider.add("Siobhan", locale: Locale(identifier: "en-US"))

  let explanation = try await provider.explain("Siobhan", locale: Locale(identifier: "en-US"))
  for pronunciation in explanation.pronunciations {
    print(pronunciation.text, pronunciation.origin, pronunciation.confidence)
  }
  print(explanation.advice)

  let mine = try UserPronunciations(locale: Locale(identifier: "en-US"))
  try mine.set("siobhan", to: [["SH", "AH", "V", "AO", "N"]])
}

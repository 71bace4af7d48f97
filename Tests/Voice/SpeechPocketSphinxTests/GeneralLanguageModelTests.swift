import Foundation
import SpeechLanguageModels
import SpeechPocketSphinx
import Testing

struct GeneralLanguageModelTests {
  @Test func `a model that the library wrote is read`() throws {
    let folder = try PocketSphinxModel.find(for: Locale(identifier: "en_US")).folder
    let model = try LanguageModel(contentsOf: folder.appending(path: "en-us-phone.lm.bin"))
    #expect(model.order == 3)
    #expect(model.spokenWords.contains("AA"))
    for context in [["AA"], ["S", "T"], ["<s>"]] {
      let total = model.words.filter { $0 != "<s>" }
        .compactMap { model.logProbability(of: $0, after: context) }
        .reduce(0) { $0 + pow(10, $1) }
      #expect(abs(total - 1) < 0.02, "after \(context)")
    }
  }
}

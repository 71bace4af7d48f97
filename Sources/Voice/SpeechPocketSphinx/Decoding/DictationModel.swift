import Foundation
import SpeechConcurrency
import SpeechCore
import SpeechFiles
import SpeechLanguageModels

/// The language model of dictation, and the words that were added to it.
struct DictationModel {
  private let url: URL
  private var added: Set<String> = []

  init(_ url: URL) { self.url = url }

  /// Loads the model with more words into the library, whose dictionary has them.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the words cannot be added, with the
  ///   reason.
  mutating func use(
    adding words: some Sequence<String>, in handle: borrowing PocketSphinxHandle
  ) throws(SpeechRecognitionError) {
    let new = added.union(words)
    guard !new.isEmpty else { return try handle.use(languageModel: url.path) }
    do {
      guard let known = LanguageModelFile.words(of: url) else {
        throw LanguageModelError(
          path: url.path,
          reason: "words of your own cannot be added to a language model of this format. Convert "
            + "it to an ARPA file with sphinx_lm_convert, or remove the words.")
      }
      let lacking = new.subtracting(known)
      if lacking.isEmpty {
        try handle.use(languageModel: url.path)
      } else {
        let file = try TemporaryFile("lm.bin")
        try file.write(LanguageModelAddition(lacking).data(of: url))
        try handle.use(languageModel: file.path)
      }
    } catch let error as SpeechRecognitionError {
      throw error
    } catch {
      throw .recognitionFailed(error.localizedDescription)
    }
    added = new
  }
}

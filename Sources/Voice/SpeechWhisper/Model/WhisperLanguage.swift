import Foundation
import SpeechCore

/// The language of a decoding.
struct WhisperLanguage {
  /// The library's code; `nil` to detect the language.
  let code: String?

  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the model does not know the language.
  init(
    of model: WhisperModel, locale: Locale, detects: Bool, translates: Bool
  ) throws(SpeechRecognitionError) {
    let language = locale.language.languageCode?.identifier ?? "en"
    guard model.file.isMultilingual else {
      guard language == "en", !detects, !translates else {
        throw .recognitionFailed(
          "The model “\(model.file.url.lastPathComponent)” knows English only. Use one "
            + "without “.en” in its name for other languages and translations.")
      }
      code = "en"
      return
    }
    guard !detects else {
      code = nil
      return
    }
    guard language.withCString({ model.library.functions.languageID($0) }) >= 0 else {
      throw .recognitionFailed(
        "Whisper does not know the language “\(locale.identifier)”. Choose another one, or let it "
          + "be detected."
      )
    }
    code = language
  }
}

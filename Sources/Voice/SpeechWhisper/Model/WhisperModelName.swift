import Foundation
import SpeechCore

/// The name of a model, such as `tiny.en` or `base-q5_1`, or the path of its file.
package struct WhisperModelName: Sendable, Hashable {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// Finds the file of the model.
  ///
  /// A name without a way of storage stands for the first of `f16`, `q8_0`, `q5_1` and `q5_0` that
  /// is there. An empty name stands for the model that suits conversations best among those for
  /// that language.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` with the places.
  package func find(
    for language: String?, in places: WhisperPlaces = .current
  ) throws(SpeechRecognitionError) -> URL {
    if text.contains("/") || text.hasSuffix(".bin") { return URL(filePath: text) }
    let names = text.isEmpty ? Self.preferred(for: language) : [text]
    for name in names {
      if let file = Self.file(of: name, in: places) { return file }
    }
    let title =
      text.isEmpty
      ? "No Whisper model is installed" : "The Whisper model “\(text)” is not installed"
    throw .recognitionFailed(
      "\(title): none of these folders has a file ggml-\(text.isEmpty ? "tiny.en" : text).bin: "
        + places.modelFolders.map(\.path).joined(separator: ", ")
        + ". Put one there (`speechkit engines add whisper:\(text.isEmpty ? "tiny.en" : text)`), "
        + "or name a file.")
  }

  /// The sizes in the order in which they suit conversations on an ordinary computer.
  private static let sizes = ["base", "tiny", "small", "medium", "large-v3-turbo", "large-v3"]
  private static let storage = ["", "-q8_0", "-q5_1", "-q5_0"]

  private static func preferred(for language: String?) -> [String] {
    guard language == "en" || language == nil else { return sizes }
    return sizes.flatMap { $0.hasPrefix("large") ? [$0] : [$0 + ".en", $0] }
  }

  private static func file(of name: String, in places: WhisperPlaces) -> URL? {
    for folder in places.modelFolders {
      for ending in storage {
        for prefix in ["ggml-", ""] {
          let file = folder.appending(path: "\(prefix)\(name)\(ending).bin")
          if FileManager.default.fileExists(atPath: file.path) { return file }
        }
      }
    }
    return nil
  }
}
